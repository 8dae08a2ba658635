"""The inbox: what was noticed, shown with the words it came from and what it would change, and decided on."""
