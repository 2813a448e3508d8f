"""The methods of text."""
