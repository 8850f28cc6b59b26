"""Teams that tell the book together."""
