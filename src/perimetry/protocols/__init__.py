"""Which conditions to run and which estimates to draw: one file an audit."""
