from pathlib import Path

import pytest

from benchmarks.__main__ import main
from benchmarks.corpus import Corpus, corpora
from benchmarks.probe import probe
from benchmarks.synthetic import LANGUAGES, generate


def test_the_files_are_those_of_the_project_language_by_language(tmp_path: Path) -> None:
    for language in LANGUAGES:
        generate(language, 12, tmp_path)
    (tmp_path / "README.md").write_text("# No source\n")
    found = {corpus.language: corpus for corpus in corpora(str(tmp_path), "strict", tests_only=False)}
    assert set(found) == set(LANGUAGES)
    assert {Path(path).suffix for path in found["python"].files} == {".py"}
    assert found["csharp"].size == sum((tmp_path / path).stat().st_size for path in found["csharp"].files)


def test_product_code_can_be_left_out(tmp_path: Path) -> None:
    generate("csharp", 12, tmp_path)
    [everything] = corpora(str(tmp_path), "strict", tests_only=False)
    [tests] = corpora(str(tmp_path), "strict", tests_only=True)
    assert {path for path in everything.files if ".Tests/" in path or "/Base/" in path} == set(tests.files)
    assert len(tests.files) < len(everything.files)


def test_one_file_is_measured_on_that_of_median_size(tmp_path: Path) -> None:
    for name, size in (("a", 90), ("b", 10), ("c", 40)):
        (tmp_path / name).write_bytes(b"#" * size)
    assert Corpus(str(tmp_path), "python", ("a", "b", "c"), 140).typical() == "c"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_probe_weighs_the_facts_of_every_file_and_accounts_for_all_time(language: str, tmp_path: Path) -> None:
    generate(language, 12, tmp_path)
    one = probe(str(tmp_path), "strict")
    [corpus] = [corpus for corpus in corpora(str(tmp_path), "strict", tests_only=False) if corpus.language == language]
    assert {path for of, path in one.facts if of == language} == set(corpus.files)
    assert min(one.facts.values()) > 0
    assert one.total == pytest.approx(one.discovering + one.collecting + one.joining)
    assert 0 < one.join_share < 1


def test_facts_are_reported_by_project_and_language(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    generate("python", 12, tmp_path / "game")
    assert main(["facts", str(tmp_path / "game"), "--json", str(tmp_path / "facts.json")]) == 0
    assert "| game, Python | 14 |" in capsys.readouterr().out
    assert '"average_bytes"' in (tmp_path / "facts.json").read_text()
