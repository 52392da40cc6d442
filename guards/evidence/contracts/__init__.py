"""One module a family of conditions."""
