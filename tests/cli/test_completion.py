import shutil
import subprocess
import sys

import pytest

from guards.cli import main

BASH = shutil.which("bash")


@pytest.mark.parametrize("shell", ["bash", "fish", "powershell", "tcsh", "zsh"])
def test_a_script_knows_commands_and_rules(capsys: pytest.CaptureFixture[str], shell: str) -> None:
    pytest.importorskip("shtab")
    assert main(["completion", shell]) == 0
    out, err = capsys.readouterr()
    assert "explain" in out
    assert "thread-sleep" in out
    assert err == ""


@pytest.mark.skipif(sys.platform == "win32" or not BASH, reason="needs a bash of this system")
def test_bash_completes_the_name_of_a_rule(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("shtab")
    main(["completion", "bash"])
    script = capsys.readouterr().out
    ask = "\nCOMP_WORDS=(suiteguard explain thread); COMP_CWORD=2; _shtab_suiteguard; echo ${COMPREPLY[@]}\n"
    done = subprocess.run([BASH or "bash", "--norc"], input=script + ask, capture_output=True, text=True, check=True)
    assert done.stdout == "thread-sleep\n"


def test_without_the_package_the_command_that_installs_it_is_named() -> None:
    code = (
        "import sys; sys.modules['shtab'] = None; from guards.cli import main; sys.exit(main(['completion', 'bash']))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == "suiteguard: completion needs one more package: pip install 'suiteguard[completion]'\n"


def test_a_shell_that_is_not_known_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["completion", "cmd"])
    assert stopped.value.code == 2
    assert "bash" in capsys.readouterr().err
