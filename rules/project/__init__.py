"""Rules about project files, and about the tool's own hygiene."""
