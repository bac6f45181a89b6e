"""A run folder: plan, trials, outcomes, estimates."""
