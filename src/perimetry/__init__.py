"""Perimetry."""
