"""The run: plan, collect, join, settle."""
