"""Everything that changes from vendor to vendor, one package each."""
