"""Rules about Python tests."""
