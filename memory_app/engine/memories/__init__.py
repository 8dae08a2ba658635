"""From what was said to what is kept: composed, weighed against what is there, stored."""
