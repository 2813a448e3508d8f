"""Times: parts of dates, and ranges of them."""
