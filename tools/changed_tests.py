"""Prints the tests that changed since the last commit, and those that mirror changed modules."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def changed() -> list[Path]:
    """Files that differ from the last commit, new ones among them."""
    commands = (["git", "diff", "--name-only", "HEAD"], ["git", "ls-files", "--others", "--exclude-standard"])
    return [Path(line) for command in commands for line in _lines(command)]


def _lines(command: list[str]) -> list[str]:
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True)  # noqa: S603 a fixed command
    return done.stdout.decode().splitlines()


def tests_of(path: Path) -> Iterator[Path]:
    """The test files that have a say about one changed file."""
    match path.parts:
        case ("tests", *_) if path.match("test_*.py"):
            yield path
        case ("tests", "cases", _):
            yield Path("tests/cases/test_cases.py")
        case ("guards", *folders, _):
            yield from _mirrors(Path("tests", *folders), path.stem)
        case ("rules", *folders, _):
            yield from _mirrors(Path("tests", "rules", *folders), path.stem)
            yield Path("tests/meta")
        case ("benchmarks", *_):
            yield from sorted(Path("tests/benchmarks").glob("test_*.py"))
        case ("docs", *_) | (_,):
            yield Path("tests/meta")


def _mirrors(folder: Path, module: str) -> Iterator[Path]:
    """The tests named after a module, or all that lie where they would be."""
    own = sorted((ROOT / folder).glob(f"test_{module}*.py"))
    yield from (test.relative_to(ROOT) for test in own or sorted((ROOT / folder).glob("test_*.py")))


def main() -> None:
    """Prints one path a line."""
    wanted = {test for path in changed() for test in tests_of(path)}
    for test in sorted(test for test in wanted if (ROOT / test).exists()):
        sys.stdout.write(f"{test.as_posix()}\n")


if __name__ == "__main__":
    main()
