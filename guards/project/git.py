"""Git, asked for facts and nothing else: no hook, monitor or program of the repository runs."""

import os

_SECONDS = 60
# The folder says which repository is meant. `GIT_INDEX_FILE` stays: in a hook it is what is about to be committed.
_IGNORED = {"GIT_DIR", "GIT_WORK_TREE", "GIT_EXTERNAL_DIFF"}


class GitFailed(Exception):
    """There is no git, or it did not answer; ``str()`` says why."""


def git(root: str, *arguments: str, stdin: bytes = b"") -> bytes:
    """What a command of git prints in a folder.

    Args:
        root: the folder.
        arguments: those of git, from outside only behind ``--end-of-options``.
        stdin: what it is given to read.

    Raises:
        GitFailed: there is no git, it failed, or it takes longer than a minute.
    """
    import subprocess

    environment = {name: value for name, value in os.environ.items() if name not in _IGNORED}
    # What a partial clone lacks stays missing: nothing is fetched.
    environment |= {"GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C", "GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none"}
    try:
        done = subprocess.run(  # noqa: S603 our own commands
            [_program(root), "-c", "core.fsmonitor=false", "-c", "core.quotePath=false", *arguments],
            cwd=root,
            env=environment,
            input=stdin,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise GitFailed(f"it took more than {_SECONDS} s") from None
    except (OSError, ValueError) as error:  # the latter where an argument holds a NUL
        raise GitFailed(str(error)) from None
    if done.returncode:
        raise GitFailed(_reason(done.stderr) or f"exit code {done.returncode}")
    return done.stdout


def git_paths(root: str, *arguments: str) -> list[str]:
    """What a command of git lists with ``-z``.

    Raises:
        GitFailed: as ``git`` does.
    """
    return [entry for entry in os.fsdecode(git(root, *arguments)).split("\0") if entry]


def _reason(message: bytes) -> str:
    """The line that says why git gave up; the first one where none does."""
    lines = message.decode("utf-8", "replace").strip().split("\n")
    said = next((line for line in lines if line.startswith("fatal: ")), lines[0])
    return f"{said}; this clone is a partial one, and nothing is fetched" if "promisor" in said else said


def _program(root: str) -> str:
    """Git on the search path, but none that the guarded project or the current folder brings along."""
    real_root = os.path.realpath(root).rstrip(os.sep) + os.sep
    name = "git.exe" if os.name == "nt" else "git"
    for folder in os.get_exec_path():
        program = os.path.join(folder, name)
        is_ours = os.path.isabs(folder) and not os.path.realpath(program).startswith(real_root)
        if is_ours and os.path.isfile(program) and os.access(program, os.X_OK):
            return program
    raise GitFailed("it is not installed")
