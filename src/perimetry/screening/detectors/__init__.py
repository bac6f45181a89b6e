"""The package's own screens, one family of cues a file; each module offers its entries as ``SCREENS``."""
