"""What is guarded: files, roles and units."""
