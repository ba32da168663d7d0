"""The compiler of curated tool surfaces: curation text in, checked Python, schemas and golden files out."""
