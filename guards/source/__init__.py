"""Decoded text, and places in it."""
