"""What is generated is up to date, and the generator notices when it is not."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def generate(root: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "tools/generate.py", *arguments]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, encoding="utf-8", check=False)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The generator and what it writes, in a folder of their own."""
    folder = tmp_path / "copy"
    (folder / "tools").mkdir(parents=True)
    (folder / "tools" / "generate.py").write_bytes((ROOT / "tools" / "generate.py").read_bytes())
    (folder / "pyproject.toml").write_bytes((ROOT / "pyproject.toml").read_bytes())
    for path in (ROOT / "rules").rglob("*"):
        if path.suffix in {".py", ".toml"}:
            target = folder / path.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(path.read_bytes())
    assert generate(folder).returncode == 0
    return folder


def test_generated_files_are_up_to_date() -> None:
    done = generate(ROOT, "--check")
    assert (done.stdout, done.returncode) == ("", 0)


def test_what_was_just_written_is_up_to_date_and_has_line_feeds_alone(copy: Path) -> None:
    assert generate(copy, "--check").returncode == 0
    assert generate(copy).stdout == ""
    assert not any(b"\r" in path.read_bytes() for path in copy.rglob("*.md"))


def test_an_edited_file_is_shown_and_left_alone_by_a_check(copy: Path) -> None:
    page = copy / "docs" / "rules" / "thread-sleep.md"
    page.write_text("# something-else\n", encoding="utf-8")
    done = generate(copy, "--check")
    assert done.returncode == 1
    assert "docs/rules/thread-sleep.md" in done.stdout
    assert "-# something-else" in done.stdout
    assert page.read_text(encoding="utf-8") == "# something-else\n"
    assert "wrote docs/rules/thread-sleep.md" in generate(copy).stdout
    assert page.read_text(encoding="utf-8").startswith("# thread-sleep\n")


def test_the_page_of_a_rule_that_is_gone_is_removed(copy: Path) -> None:
    page = copy / "docs" / "rules" / "gone-rule.md"
    page.write_text("# gone-rule\n", encoding="utf-8")
    assert generate(copy, "--check").returncode == 1
    assert "removed docs/rules/gone-rule.md" in generate(copy).stdout
    assert not page.exists()
