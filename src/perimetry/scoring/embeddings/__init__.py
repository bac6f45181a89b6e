"""Metrics that compare what an encoder makes of two reports; their arithmetic needs no model."""
