import sys
from pathlib import Path

import pytest

from benchmarks.measure import Command, Failed, Sample, Series, alternate, run

PYTHON = (sys.executable, "-I", "-c")


def noting(folder: Path, name: str) -> Command:
    """A command that writes its name and how many files it was given."""
    code = "import sys; open('log', 'a').write(f'{sys.argv[1]} {len(sys.argv) - 2}\\n')"
    return Command((*PYTHON, code, name), str(folder))


def test_commands_take_turns_and_each_round_begins_with_another(tmp_path: Path) -> None:
    series, failed = alternate({name: noting(tmp_path, name) for name in "ab"}, 3)
    assert (tmp_path / "log").read_text().split("\n") == ["a 0", "b 0", "b 0", "a 0", "a 0", "b 0", ""]
    assert ({name: len(one.samples) for name, one in series.items()}, failed) == ({"a": 3, "b": 3}, {})


def test_a_command_that_fails_is_named_with_what_it_said_and_does_not_stop_the_others(tmp_path: Path) -> None:
    broken = Command((*PYTHON, "import sys; print('no such grammar', file=sys.stderr); sys.exit(9)"), str(tmp_path))
    missing = Command(("there-is-no-such-program",), str(tmp_path))
    series, failed = alternate({"broken": broken, "missing": missing, "a": noting(tmp_path, "a")}, 2)
    assert list(series) == ["a"]
    assert failed["broken"] == "exit code 9: no such grammar"
    assert "there-is-no-such-program" in failed["missing"]


def test_a_code_that_a_tool_uses_for_findings_is_no_failure(tmp_path: Path) -> None:
    command = Command((*PYTHON, "raise SystemExit(1)"), str(tmp_path))
    assert run(command._replace(accepted=(0, 1))).wall > 0
    with pytest.raises(Failed, match="exit code 1"):
        run(command)


def test_a_list_of_files_too_long_for_a_command_line_is_handed_over_in_parts(tmp_path: Path) -> None:
    files = tuple(f"{number:0400d}" for number in range(3000))
    run(noting(tmp_path, "a")._replace(files=files))
    counts = [int(line.split()[1]) for line in (tmp_path / "log").read_text().splitlines()]
    assert sum(counts) == 3000
    assert len(counts) > 1


def test_what_prepares_a_run_is_done_before_each(tmp_path: Path) -> None:
    log = tmp_path / "log"

    def empty() -> None:
        log.write_text("emptied\n")

    alternate({"a": noting(tmp_path, "a")._replace(before=empty)}, 3)
    assert log.read_text() == "emptied\na 0\n"


def test_cpu_time_of_children_counts(tmp_path: Path) -> None:
    work = "import time\\nwhile time.process_time() < 0.3: pass"
    parent = f"import subprocess, sys; subprocess.run([sys.executable, '-I', '-c', '''{work}'''])"
    assert run(Command((*PYTHON, parent.replace("\\n", "\n")), str(tmp_path))).cpu >= 0.3


def test_the_middle_of_the_samples_is_what_counts() -> None:
    series = Series((Sample(9.0, 1.0, 1024), Sample(1.0, 5.0, 2048), Sample(2.0, 2.0, 4096)))
    assert (series.wall, series.cpu, series.peak, series.spread) == (2.0, 2.0, 2.0, (1.0, 9.0))
