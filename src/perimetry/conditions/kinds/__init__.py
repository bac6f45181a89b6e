"""The package's own conditions, one noun a file; each module offers its entries as ``KINDS``."""
