"""Bring in what someone has with another product: what was said as turns, what was remembered as memories."""
