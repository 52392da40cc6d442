import re

import pytest

from guards.cli import main
from guards.reports import FORMATS


def test_the_help_names_every_format(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["check", "--help"])
    match = re.search(r"--output FORMAT\[=FILE\]\s+(.*?), to the terminal", capsys.readouterr().out, re.DOTALL)
    assert match
    assert sorted(re.split(r",\s+|\s+or\s+", match[1])) == sorted(FORMATS)
