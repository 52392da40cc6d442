"""Builds what Lantern Keep ships: atlases, translations, release notes."""
