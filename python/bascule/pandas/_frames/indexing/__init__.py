"""Selection by position and by label, assignment, and iteration."""
