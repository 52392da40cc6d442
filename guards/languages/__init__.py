"""The languages: each parses a file once and says what is in it."""
