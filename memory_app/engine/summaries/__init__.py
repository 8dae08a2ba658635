"""What days, weeks and a whole person come to: notes, reflections, the profile."""
