"""What lies in the pixels of an item's images apart from the finding: text, drawn marks, panels, and repeats."""
