"""Alternatives by rules, from lexicons of our own."""

from perimetry.editing.references.rules.generator import RULES, RuleGenerator, rewrite_by_rules

__all__ = ["RULES", "RuleGenerator", "rewrite_by_rules"]
