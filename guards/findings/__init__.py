"""What rules say, and what takes it away again: suppressions."""
