"""A catalogue with one rule of each shape, and projects whose files are given as text."""

from collections.abc import Mapping
from pathlib import Path

from guards.config.catalogue import Catalogue, Option, RuleEntry
from guards.config.load import ConfigSet
from guards.config.model import CommandLine, ConfigError


def rule(name: str, code: str, language: str, **fields: object) -> RuleEntry:
    """An entry of the rule table."""
    entry = RuleEntry(name, code, language, "module", "Class", "error", f"What `{name}` flags.")
    return entry._replace(**fields)  # type: ignore[arg-type]


CATALOGUE = Catalogue(
    entries=(
        rule(
            "thread-sleep",
            "SGC001",
            "csharp",
            severity="warning",
            options=(
                ("product", Option("ignore", "Whether product code counts.", choices=("report", "ignore"))),
                ("include", Option((), "Further calls.")),
                ("allow-paths", Option((), "Files that may sleep.", paths=True)),
                ("longest", Option(0.5, "Seconds that are fine.")),
                ("least", Option(1, "How many it takes.")),
                ("helpers", Option(default=True, doc="Whether helpers count.")),
                ("note", Option("", "What to say.")),
                ("kinds", Option(("a",), "Kinds.", choices=("a", "b"))),
                ("classes", Option({"Save": ("A",)}, "Names by class.")),
                ("anything", Option({}, "A free table.")),
            ),
        ),
        rule(
            "skip-without-reason",
            "SGC002",
            "csharp",
            options=(("placeholder", Option("todo", "What is no reason.")),),
            aliases=("bare-skip",),
        ),
        rule(
            "skip-without-reason",
            "SGP001",
            "python",
            options=(
                ("placeholder", Option("todo", "What is no reason.")),
                ("calls", Option((), "Further calls that skip.")),
            ),
        ),
        rule("mock-echo", "SGP002", "python", severity="note"),
        rule("mock-clock", "SGP003", "python"),
        rule("parse-incomplete", "SGX001", "any", severity="note"),
    ),
    presets={
        "recommended": {
            "rules": {"thread-sleep": {"severity": "warning"}, "parse-incomplete": {"severity": "note"}},
        },
        "strict": {
            "presets": ["recommended"],
            "rules": {"thread-sleep": {"severity": "error", "product": "report"}, "mock-echo": {"severity": "note"}},
        },
        "editor": {
            "presets": ["recommended"],
            "rules": {"skip-without-reason": {"severity": "error", "python": {"severity": "note"}}},
            "forbid": [{"name": "undo-clear", "api": "UnityEditor.Undo.ClearAll", "language": "csharp"}],
            "overrides": [{"paths": ["Support/"], "ignore": ["undo-clear"]}],
            "acceptance": {"mode": "EditMode", "min-tests": 5},
        },
    },
)


def write(root: Path, files: Mapping[str, str | bytes]) -> str:
    """Writes files below a root, and gives the root."""
    for path, text in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(root)


def load(root: Path, files: Mapping[str, str | bytes] | None = None, **command_line: object) -> ConfigSet:
    """The configurations of a project of these files."""
    given = CommandLine()._replace(**command_line)  # type: ignore[arg-type]
    return ConfigSet.load(write(root, files or {}), CATALOGUE, given)


def problems(root: Path, text: str, **command_line: object) -> list[str]:
    """What is wrong with a ``suiteguard.toml``, as a user reads it but without the file's name."""
    try:
        load(root, {"suiteguard.toml": text}, **command_line)
    except ConfigError as error:
        return [str(problem).removeprefix("suiteguard.toml:") for problem in error.problems]
    return []


def severities(configs: ConfigSet, path: str) -> dict[str, str]:
    """The enabled rules of a path as ``name/language``, with their severities."""
    settings = configs.settings_for(path)
    return {"/".join(key): setting.severity for key, setting in sorted(settings.rules.items())}
