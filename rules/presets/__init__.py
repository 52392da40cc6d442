"""Presets: policies as readable TOML."""
