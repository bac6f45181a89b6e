"""Clinical errors planted in reports, to see what a metric makes of them."""

from perimetry.editing.references.planting.planted import KINDS, plant_errors

__all__ = ["KINDS", "plant_errors"]
