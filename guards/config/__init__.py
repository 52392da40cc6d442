"""Configuration: found, checked, and resolved for a path."""
