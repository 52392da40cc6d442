"""Packs icons into atlases."""

import os
from pathlib import Path


def pack(folder: Path, target: Path) -> int:
    """Writes the icons of a folder one after another; returns how many there were."""
    icons = sorted(folder.glob("*.png"))
    unfinished = target.with_suffix(".part")
    unfinished.write_bytes(b"".join(icon.read_bytes() for icon in icons))
    os.replace(unfinished, target)
    return len(icons)


def workers() -> int:
    """How many icons are packed at once."""
    return max(1, (os.cpu_count() or 1) - 1)
