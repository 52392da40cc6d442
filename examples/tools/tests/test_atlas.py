import os
from pathlib import Path

import pytest

from keeptools import atlas


@pytest.fixture
def icons(tmp_path: Path) -> Path:
    folder = tmp_path / "icons"
    folder.mkdir()
    for name in ("torch", "rope", "lantern"):
        (folder / f"{name}.png").write_bytes(name.encode())
    return folder


def test_every_icon_is_packed(icons: Path, tmp_path: Path) -> None:
    assert atlas.pack(icons, tmp_path / "items.atlas") == 3
    assert (tmp_path / "items.atlas").read_bytes() == b"lanternropetorch"


def test_an_atlas_is_replaced_at_once(icons: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replaced = []
    monkeypatch.setattr(os, "replace", lambda *paths: replaced.append(paths))
    atlas.pack(icons, tmp_path / "items.atlas")
    assert len(replaced) == 1


@pytest.mark.slow
@pytest.mark.needs_disk
def test_a_thousand_icons_are_packed(icons: Path, tmp_path: Path) -> None:
    for number in range(997):
        (icons / f"{number:04}.png").write_bytes(b"x")
    assert atlas.pack(icons, tmp_path / "items.atlas") == 1000


def test_one_core_is_left_to_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 8)
    assert atlas.workers() == 7
