from pathlib import Path

import pytest

from benchmarks.synthetic import LANGUAGES, Planted, generate
from guards.engine.run import Request, check

languages = pytest.mark.parametrize("language", LANGUAGES)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@languages
def test_the_findings_of_a_generated_project_are_those_that_were_planted(language: str, tmp_path: Path) -> None:
    planted = generate(language, 60, tmp_path)
    result = check(Request(str(tmp_path)))
    assert [Planted(finding.place.path, finding.rule) for finding in result.findings] == list(planted)
    assert len({rule for _, rule in planted}) == 2
    assert (result.skipped, result.unread_regions) == ((), 0)


@languages
def test_a_project_is_the_same_each_time_and_a_small_one_is_part_of_a_large_one(language: str, tmp_path: Path) -> None:
    for folder, count in (("first", 30), ("second", 30), ("large", 45)):
        generate(language, count, tmp_path / folder)
    small = contents(tmp_path / "first")
    assert contents(tmp_path / "second") == small
    assert small.items() <= contents(tmp_path / "large").items()


@languages
def test_the_number_of_files_is_as_ordered(language: str, tmp_path: Path) -> None:
    sizes = {}
    for count in (20, 50):
        generate(language, count, tmp_path / str(count))
        suffix = {"csharp": ".cs", "gdscript": ".gd", "python": ".py"}[language]
        sizes[count] = sum(1 for path in contents(tmp_path / str(count)) if path.endswith(suffix))
    assert sizes[50] - sizes[20] == 30
    assert 20 <= sizes[20] <= 22  # a common base, a package


@languages
def test_files_differ(language: str, tmp_path: Path) -> None:
    generate(language, 40, tmp_path)
    lengths = {len(text) for text in contents(tmp_path).values()}
    assert len(lengths) > 30
