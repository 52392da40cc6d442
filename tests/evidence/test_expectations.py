import pytest

from guards.evidence.expectations import EXPECTED, BadExpectation, Expectations, expectations


def test_what_nobody_states_is_none() -> None:
    assert expectations({}, ()) == Expectations()


def test_the_command_line_wins_over_configuration_and_each_value_knows_who_states_it() -> None:
    found = expectations(
        {
            "mode": ("EditMode", "preset unity-biome"),
            "min-tests": (5, "suiteguard.toml:4"),
            "allow-skip": (("a*",), "x"),
        },
        ("mode=PlayMode", "filter=", "total=7", "allow-empty", "filter=A|B=C"),
    )
    assert (found.mode, found.min_tests, found.filter, found.total, found.allow_empty) == (
        "PlayMode",
        5,
        "A|B=C",
        7,
        True,
    )
    assert found.allow_skip == ("a*",)
    assert (found.origin("mode"), found.origin("min-tests"), found.origin("group")) == (
        "--expect",
        "suiteguard.toml:4",
        "",
    )


def test_an_empty_value_is_stated_too() -> None:
    assert expectations({}, ("group=",)).group == ""
    assert expectations({}, ("allow-empty=false",)).allow_empty is False


def test_globs_of_the_command_line_replace_those_of_the_configuration() -> None:
    found = expectations({"allow-skip": (("a*",), "x")}, (), ("b(1,2)",))
    assert (found.allow_skip, found.origin("allow-skip")) == (("b(1,2)",), "--allow-skip")


@pytest.mark.parametrize(
    "word",
    ["", "mode", "modes=x", "total=", "total=-1", "total=1.5", "total=٣", "total=99999999999", "allow-empty=perhaps"],
)
def test_what_cannot_be_understood_is_refused_by_name(word: str) -> None:
    with pytest.raises(BadExpectation) as raised:
        expectations({}, (word,))
    assert f"--expect {word}" in str(raised.value)


def test_every_key_can_be_stated() -> None:
    for name in EXPECTED:
        found = expectations({}, (f"{name}=1" if name != "allow-empty" else name,))
        assert found != Expectations()
        assert found.origin(name) == "--expect"


@pytest.mark.parametrize("glob", ["", "a[", "[z-a]"])
def test_a_glob_that_is_none_is_refused_before_anything_is_judged(glob: str) -> None:
    with pytest.raises(BadExpectation, match="--allow-skip"):
        expectations({}, (), ("fine*", glob))


def test_the_exit_code_is_a_number_without_a_sign() -> None:
    assert expectations({}, ("exit-code=101",)).exit_code == 101
    with pytest.raises(BadExpectation, match="without a sign"):
        expectations({}, ("exit-code=-9",))
