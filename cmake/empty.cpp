// The only source of a room that has none: a static library must not be empty.
