"""What a language model is asked, and how its answers are checked before anything is believed."""
