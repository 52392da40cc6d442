"""Which file governs a path, and files that cannot be read."""

import os
import sys
from pathlib import Path

import pytest
from config.small_catalogue import CATALOGUE, load, severities, write

from guards.config.load import ConfigSet
from guards.config.model import CommandLine, ConfigError

OFF = "[rules]\nthread-sleep.severity = 'off'\n"
NOTE = "[rules]\nthread-sleep.severity = 'note'\n"


def sleep(configs: ConfigSet, path: str) -> str:
    return severities(configs, path).get("thread-sleep/csharp", "off")


def refused(root: Path, **command_line: object) -> str:
    with pytest.raises(ConfigError) as error:
        load(root, None, **command_line)
    return str(error.value)


def test_without_a_file_the_recommended_preset_holds(tmp_path: Path) -> None:
    configs = load(tmp_path)
    assert severities(configs, "a/b.cs") == {"parse-incomplete/any": "note", "thread-sleep/csharp": "warning"}
    assert (configs.config_for("a/b.cs").path, configs.config_for("a/b.cs").presets) == ("", ("recommended",))


def test_the_nearest_file_governs_and_files_are_not_merged(tmp_path: Path) -> None:
    configs = load(
        tmp_path,
        {
            "suiteguard.toml": "select = ['mock-clock']\n" + OFF,
            "a/suiteguard.toml": NOTE,
            "a/b/c/pyproject.toml": "[tool.suiteguard]\npresets = []\n",
        },
    )
    assert "mock-clock/python" in severities(configs, "x.cs")
    assert [sleep(configs, path) for path in ("x.cs", "b/x.cs", "a/x.cs", "a/b/x.cs")] == ["off", "off", "note", "note"]
    assert "mock-clock/python" not in severities(configs, "a/x.cs")
    assert severities(configs, "a/b/c/d/x.cs") == {}
    assert configs.config_for("a/b/x.cs").path == "a/suiteguard.toml"
    assert configs.config_for("a/b/c/x.cs").folder == "a/b/c"


def test_a_file_above_the_root_does_not_count(tmp_path: Path) -> None:
    write(tmp_path, {"suiteguard.toml": OFF})
    (tmp_path / "root").mkdir()
    assert sleep(load(tmp_path / "root"), "a.cs") == "warning"


@pytest.mark.parametrize(
    "text",
    [
        "[project]\nname = 'suiteguard'\n",
        "[project]\ndependencies = ['suiteguard>=1']\n[tool.ruff]\n",
        "tool = 'suiteguard'\n",
        "[tool]\nother = 1  # suiteguard\n",
        "this is no TOML at all",
    ],
)
def test_a_pyproject_without_our_table_is_passed_over(tmp_path: Path, text: str) -> None:
    configs = load(tmp_path, {"suiteguard.toml": OFF, "a/pyproject.toml": text})
    assert sleep(configs, "a/x.cs") == "off"


def test_an_empty_own_file_stops_the_search(tmp_path: Path) -> None:
    configs = load(tmp_path, {"suiteguard.toml": OFF, "a/suiteguard.toml": ""})
    assert sleep(configs, "a/x.cs") == "warning"


def test_beside_a_pyproject_with_our_table_the_own_file_wins_and_that_is_said(tmp_path: Path) -> None:
    configs = load(tmp_path, {"suiteguard.toml": OFF, "pyproject.toml": "[tool.x]\n[tool.suiteguard]\npresets = 1\n"})
    assert sleep(configs, "x.cs") == "off"
    [notice] = configs.notices()
    assert (notice.path, notice.line) == ("pyproject.toml", 2)
    assert "suiteguard.toml stands beside it" in notice.message


def test_beside_a_pyproject_without_our_table_nothing_is_said(tmp_path: Path) -> None:
    assert load(tmp_path, {"suiteguard.toml": OFF, "pyproject.toml": "[project]\n"}).notices() == ()


def test_the_named_file_overrides_all_others_and_is_anchored_at_the_root(tmp_path: Path) -> None:
    files = {
        "suiteguard.toml": NOTE,
        "a/suiteguard.toml": NOTE,
        "ci/ours.toml": f"exclude = ['/gen/']\n{OFF}",
    }
    configs = load(tmp_path, files, config=str(tmp_path / "ci/ours.toml"))
    assert [sleep(configs, path) for path in ("x.cs", "a/x.cs", "a/b/x.cs")] == ["off"] * 3
    config = configs.config_for("a/x.cs")
    assert config.path == "ci/ours.toml"
    assert config.excludes("gen/x.cs")
    assert not config.excludes("ci/gen/x.cs")


def test_a_named_pyproject_must_have_our_table(tmp_path: Path) -> None:
    write(
        tmp_path, {"pyproject.toml": "[project]\n", "o/pyproject.toml": f"[tool.suiteguard]\n[tool.suiteguard{OFF[1:]}"}
    )
    write(tmp_path, {"o/pyproject.toml": "[tool.suiteguard.rules]\nthread-sleep.severity = 'off'"})
    assert "no table [tool.suiteguard]" in refused(tmp_path, config=str(tmp_path / "pyproject.toml"))
    assert sleep(load(tmp_path, config=str(tmp_path / "o/pyproject.toml")), "x.cs") == "off"


def test_only_a_file_of_exactly_that_name_is_a_pyproject(tmp_path: Path) -> None:
    write(tmp_path, {"my-pyproject.toml": OFF})
    assert sleep(load(tmp_path, config=str(tmp_path / "my-pyproject.toml")), "x.cs") == "off"


def test_a_named_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    assert "nowhere.toml: there is no such file" in refused(tmp_path, config=str(tmp_path / "nowhere.toml"))


def test_a_named_file_outside_the_root_is_called_as_it_was_given(tmp_path: Path) -> None:
    outside = tmp_path / "ours.toml"
    outside.write_text("x = 1\n")
    (tmp_path / "root").mkdir()
    assert refused(tmp_path / "root", config=str(outside)).startswith(f"{outside}:1: x: ")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"presets = [\n", "suiteguard.toml:2: no valid TOML"),
        (b"\n\nselect = [1,,]\n", "suiteguard.toml:3: no valid TOML"),
        (b"a = 1\na = 2\n", "suiteguard.toml:2: no valid TOML"),
        (b"# ok\nwhy = '\xff'\n", "suiteguard.toml:2: byte 12 is not UTF-8"),
        (b"\xff\xfea\x00", "suiteguard.toml:1: byte 0 is not UTF-8"),
        (b"x = " + b"[" * 5000 + b"]" * 5000, "suiteguard.toml: it is nested too deeply"),
        (b"\nx." + b"a ." * 100_000 + b"b = 1", "suiteguard.toml:2: a key has more than 64 parts"),
        (b"x = " + b"1" * 5000, "no valid TOML"),
        (b"#" * (1 << 20) + b"#", "larger than 1 MiB"),
    ],
)
def test_what_is_no_readable_toml_is_refused_with_its_place(tmp_path: Path, text: bytes, message: str) -> None:
    write(tmp_path, {"suiteguard.toml": text})
    assert message in refused(tmp_path)


def test_a_broken_pyproject_that_speaks_of_us_is_refused(tmp_path: Path) -> None:
    configs = load(tmp_path, {"a/pyproject.toml": "[tool.suiteguard]\nx = \n"})
    assert sleep(configs, "x.cs") == "warning"
    with pytest.raises(ConfigError, match=r"a/pyproject\.toml:2: no valid TOML"):
        configs.config_for("a/b/x.cs")


def test_our_key_in_a_pyproject_must_be_a_table(tmp_path: Path) -> None:
    write(tmp_path, {"pyproject.toml": "[tool]\nsuiteguard = 1\n"})
    assert refused(tmp_path) == "pyproject.toml:2: tool.suiteguard: must be a table"


def test_a_byte_order_mark_and_crlf_do_no_harm(tmp_path: Path) -> None:
    text = b"\xef\xbb\xbf" + OFF.replace("\n", "\r\n").encode()
    assert sleep(load(tmp_path, {"suiteguard.toml": text}), "x.cs") == "off"


def test_a_folder_of_the_name_is_refused(tmp_path: Path) -> None:
    (tmp_path / "suiteguard.toml").mkdir()
    assert refused(tmp_path) == "suiteguard.toml: is a folder, not a file"


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege on Windows")
def test_links_are_followed_but_not_in_circles_and_not_to_nowhere(tmp_path: Path) -> None:
    link = tmp_path / "suiteguard.toml"
    link.symlink_to("suiteguard.toml")
    assert "suiteguard.toml: cannot be read: " in refused(tmp_path)
    link.unlink()
    link.symlink_to("gone.toml")
    assert refused(tmp_path) == "suiteguard.toml: is a link to a file that does not exist"
    write(tmp_path, {"gone.toml": OFF})
    assert sleep(load(tmp_path), "x.cs") == "off"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no named pipes in folders")
def test_pipes_and_devices_are_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "suiteguard.toml")
    assert refused(tmp_path) == "suiteguard.toml: is no regular file"
    (tmp_path / "suiteguard.toml").unlink()
    (tmp_path / "suiteguard.toml").symlink_to("/dev/zero")
    assert refused(tmp_path) == "suiteguard.toml: is no regular file"


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="nothing is unreadable here")
def test_an_unreadable_file_is_refused(tmp_path: Path) -> None:
    write(tmp_path, {"suiteguard.toml": OFF})
    (tmp_path / "suiteguard.toml").chmod(0)
    assert "suiteguard.toml: cannot be read: " in refused(tmp_path)


def test_a_path_that_is_no_folder_or_no_name_is_governed_from_above(tmp_path: Path) -> None:
    configs = load(tmp_path, {"suiteguard.toml": OFF, "a": "a file"})
    assert sleep(configs, "a/x.cs") == "off"
    assert sleep(configs, "gone/for/good/x.cs") == "off"


@pytest.mark.parametrize("exclude", ["fixtures", "fixtures/", "/a/fixtures/**", "a/*", "**/fixtures/*"])
def test_a_file_in_an_excluded_folder_does_not_count(tmp_path: Path, exclude: str) -> None:
    configs = load(
        tmp_path,
        {
            "suiteguard.toml": f"exclude = ['{exclude}']",
            "a/fixtures/suiteguard.toml": "wrong = 'on purpose'",
            "a/fixtures/b/pyproject.toml": "[tool.suiteguard]\nwrong = 'on purpose'",
        },
    )
    configs.load_all(["a/fixtures/x.cs", "a/fixtures/b/x.cs"])
    assert configs.config_for("a/fixtures/b/x.cs").excludes("a/fixtures/b/x.cs")


def test_a_file_beside_an_excluded_one_counts(tmp_path: Path) -> None:
    files = {"suiteguard.toml": "exclude = ['*.g.cs', 'a/b/x.cs', 'b']", "a/suiteguard.toml": NOTE}
    assert sleep(load(tmp_path, files), "a/x.g.cs") == "note"


def test_the_problems_of_all_files_are_gathered(tmp_path: Path) -> None:
    configs = load(tmp_path, {"a/suiteguard.toml": "x = 1\n", "b/suiteguard.toml": "y = 1\nz = 1\n"})
    with pytest.raises(ConfigError) as error:
        configs.load_all(["x.cs", "a/x.cs", "a/y.cs", "b/x.cs"])
    assert [(p.path, p.line, p.key) for p in error.value.problems] == [
        ("a/suiteguard.toml", 1, "x"),
        ("b/suiteguard.toml", 1, "y"),
        ("b/suiteguard.toml", 2, "z"),
    ]


def test_folders_may_be_deep(tmp_path: Path) -> None:
    assert sleep(load(tmp_path, {"suiteguard.toml": OFF}), "a/" * 3000 + "x.cs") == "off"


def test_many_folders_share_one_configuration(tmp_path: Path) -> None:
    configs = ConfigSet.load(write(tmp_path, {"suiteguard.toml": OFF}), CATALOGUE, CommandLine())
    assert len({id(configs.config_for(f"a/{n}/x.cs")) for n in range(50)}) == 1
    assert len({id(configs.settings_for(f"a/{n}/x.cs")) for n in range(50)}) == 1
