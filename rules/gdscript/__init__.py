"""Rules about GDScript tests."""
