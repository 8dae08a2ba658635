"""Out and in: what a person leaves with, and what comes from elsewhere."""
