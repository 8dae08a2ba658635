"""What `manage.py serve` is made of: programs kept running side by side, and what must be ready before they start."""
