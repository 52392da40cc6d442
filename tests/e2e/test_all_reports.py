"""One run that writes every report: each is there, whole, and the same whatever made it."""

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from e2e.program import ProjectWriter, Run

from guards.reports import FORMATS

MORE: dict[str, str | bytes] = {
    "Tests/U.cs": "class U { [NUnit.Framework.Test] public async void B() { await C(); } }\n",
    "Tests/Binary.cs": b"\0\0",
    "Tests/V w.cs": "class V { void D() => System.Threading.Thread.Sleep(1); } // suiteguard: allow[thread-sleep] for now\n",
}


def reports(suiteguard: Run, folder: Path, out: Path, *options: str) -> dict[str, str]:
    out.mkdir()
    outputs = [f"--output={name}={out / name}" for name in FORMATS]
    done = suiteguard(("check", "--select=thread-sleep,async-void", *outputs, *options), folder)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")
    return {name: (out / name).read_text(encoding="utf-8") for name in FORMATS}


@pytest.fixture
def folder(flawed: ProjectWriter) -> Path:
    return flawed(MORE)


def test_every_format_tells_the_same(suiteguard: Run, folder: Path, tmp_path: Path) -> None:
    made = reports(suiteguard, folder, tmp_path / "out")
    (run,) = json.loads(made["sarif"])["runs"]
    told = [(found["ruleId"], found.get("suppressions", [{}])[0].get("justification")) for found in run["results"]]
    assert told == [("thread-sleep", None), ("async-void", None), ("thread-sleep", "for now")]
    pages = {rule["id"]: rule["help"]["markdown"].partition("\n")[0] for rule in run["tool"]["driver"]["rules"]}
    assert pages == {"async-void": "# async-void", "thread-sleep": "# thread-sleep"}
    checks = [entry["check_name"] for entry in json.loads(made["gitlab"])]
    assert checks == ["thread-sleep", "async-void", "not-checked"]
    cases = ET.fromstring(made["junit"]).iter("testcase")  # noqa: S314 our own report
    assert [(case.get("name"), case.get("classname"), [child.tag for child in case]) for case in cases] == [
        ("Tests/Binary.cs", "suiteguard.(not checked)", ["error"]),
        ("Tests/Sample.Tests.asmdef", "suiteguard.(clean)", []),
        ("Tests/T.cs", "suiteguard.thread-sleep", ["failure"]),
        ("Tests/U.cs", "suiteguard.async-void", ["failure"]),
        ("Tests/V w.cs", "suiteguard.thread-sleep", ["skipped"]),
    ]
    annotations = [line.split(",")[0] for line in made["github"].splitlines() if line.startswith("::")]
    assert annotations == ["::warning file=Tests/T.cs", "::error file=Tests/U.cs", "::error file=Tests/Binary.cs"]


def test_the_bytes_depend_on_the_project_alone(suiteguard: Run, folder: Path, tmp_path: Path) -> None:
    first = reports(suiteguard, folder, tmp_path / "first", "--no-cache", "--jobs=1")
    assert reports(suiteguard, folder, tmp_path / "cold", "--jobs=3") == first
    assert reports(suiteguard, folder, tmp_path / "warm", "--jobs=2") == first
    assert not any(str(tmp_path) in text for text in first.values())


def test_statistics_replace_no_report_for_programs(suiteguard: Run, folder: Path) -> None:
    done = suiteguard(("check", "--statistics", "--output=text", "--output=sarif=a.sarif"), folder)
    assert "1  warning  thread-sleep" in done.stdout
    assert json.loads((folder / "a.sarif").read_text(encoding="utf-8"))["version"] == "2.1.0"
