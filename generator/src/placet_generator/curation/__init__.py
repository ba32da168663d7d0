"""The curation: what people write, read with exact positions and strict models."""
