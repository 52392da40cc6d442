from pathlib import Path

import pytest
from engine.fixed_text import ASMDEF, fixed_text

HEAD = "using NUnit.Framework;\nusing System.Threading.Tasks;\n"


def fixed(tmp_path: Path, members: str, *, unsafe: bool, head: str = f"{HEAD}class T\n{{\n", tail: str = "}\n") -> str:
    files = {"Tests/T.cs": f"{head}{members}{tail}", "Tests/Sample.Tests.asmdef": ASMDEF}
    text = fixed_text(tmp_path, "async-void", files, unsafe=unsafe)
    return text.removeprefix(head).removesuffix(tail)


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ("[Test] public async void A() { await B(); }\n", "[Test] public async Task A() { await B(); }\n"),
        ("[Test] public async /* v */ void/**/A() { }\n", "[Test] public async /* v */ Task/**/A() { }\n"),
        ("[TestCase(1), Order(2)]\r\nasync\r\nvoid\r\nA(int a) { }\r\n", "[TestCase(1), Order(2)]\r\nasync\r\nTask\r\nA(int a) { }\r\n"),
        ("[Test] public async void A<T>() { }\n", "[Test] public async Task A<T>() { }\n"),
        (
            "async void B() { }\nasync Task C() { B(); this . B(); Run(async () => { B(); }); }\n",
            "async Task B() { }\nasync Task C() { await B(); await this . B(); Run(async () => { await B(); }); }\n",
        ),
        (
            "private async void B(int b) { }\n[Test] public async void C() => B(1);\n",
            "private async Task B(int b) { }\n[Test] public async Task C() => await B(1);\n",
        ),
        (
            "async Task C() { async void L() { } L(); if (x) L(); }\n",
            "async Task C() { async Task L() { } await L(); if (x) await L(); }\n",
        ),
        (
            '// B waits\nprivate async void B() { }\nasync Task C() { B(); Log("B failed"); }\n',
            '// B waits\nprivate async Task B() { }\nasync Task C() { await B(); Log("B failed"); }\n',
        ),
    ],
)  # fmt: skip
def test_tests_and_what_only_their_file_calls_are_fixed_safely(tmp_path: Path, members: str, expected: str) -> None:
    assert fixed(tmp_path, members, unsafe=False) == expected


@pytest.mark.parametrize(
    "members",
    [
        "public async void Help() { }\n",  # callers elsewhere would drop the task
        "internal async void Help() { }\nasync Task C() { Help(); }\n",
        "protected virtual async void Help() { }\n",
        "private async void Help() { }\n",  # nobody calls it, so somebody must by its name
        "[SetUp] public async void SetUp() { }\n",  # not every runner awaits these
        "[Test] public virtual async void A() { }\n",
        "[Custom] async void Help() { }\nasync Task C() { Help(); }\n",
    ],
)
def test_what_others_may_call_is_fixed_only_on_demand(tmp_path: Path, members: str) -> None:
    assert fixed(tmp_path, members, unsafe=False) == members
    assert " async Task " in fixed(tmp_path, members, unsafe=True)


@pytest.mark.parametrize(
    "members",
    [
        "[Test] public override async void A() { }\n",
        "async partial void A() { }\n",
        "async void ILoad.A() { }\n",
        "async void OnClick(object sender, System.EventArgs e) { }\n",
        "async void Start() { }\n",
        "async void B() { }\nvoid C() { B(); }\n",  # nothing to await in
        "async void B() { }\nT() { B(); }\n",
        "async void B() { }\nint P { get { B(); return 1; } }\n",
        "async void B() { }\nasync Task C() { lock (this) { B(); } }\n",
        "async void B() { }\nasync Task C() { Run(() => { B(); }); }\n",
        "async void B() { }\nasync Task C() { Run(async () => B()); }\n",
        "async void B() { }\nasync Task C() { clicked += B; }\n",
        "async void B() { }\nasync Task C() { Run(B); }\n",
        'async void B() { }\nasync Task C() { Invoke("B", 1); }\n',
        "async void B() { }\nasync Task C() { other.B(); }\n",
        "async void B() { }\nasync void B(int b) { B(); }\n",  # which of the two is called?
        "async void B() { }\nTask C() => B();\n",
        "async void B() { }\nvoid C() { async Task L() { } B(); }\n",
        "async void B() { }\nevent Action B2 { add { B(); } remove { } }\n",
        "async Task C() { async void L() { } Action a = L; L(); }\n",
        "[Test] public async void A() { }\nvoid C() { Assert.DoesNotThrow(A); }\n",
    ],
)  # fmt: skip
def test_what_needs_the_void_is_left_alone(tmp_path: Path, members: str) -> None:
    assert fixed(tmp_path, members, unsafe=True) == members


def test_a_call_in_one_branch_and_a_declaration_in_another_are_left_alone(tmp_path: Path) -> None:
    members = "#if A\nasync void B() { }\n#else\nvoid B() { }\n#endif\nasync Task C() { B(); }\n"
    assert fixed(tmp_path, members, unsafe=True) == members


def test_a_caller_that_is_asynchronous_in_one_branch_alone_is_no_place_to_await(tmp_path: Path) -> None:
    members = "private async void B() { }\n#if A\nasync Task C()\n#else\nvoid C()\n#endif\n{ B(); }\n"
    assert fixed(tmp_path, members, unsafe=True) == members


@pytest.mark.parametrize(
    ("head", "tail", "task"),
    [
        ("class T {\n", "}\n", "System.Threading.Tasks.Task"),
        ("using System.Threading.Tasks;\nusing Task = My.Task;\nclass T {\n", "}\n", "System.Threading.Tasks.Task"),
        ("using System.Threading.Tasks;\nclass Task { }\nclass T {\n", "}\n", "System.Threading.Tasks.Task"),
        ("namespace N {\nusing System.Threading.Tasks;\nclass T {\n", "}\n}\n", "Task"),
        ("global using System.Threading.Tasks;\nclass T {\n", "}\n", "Task"),
    ],
)
def test_the_type_is_written_so_that_the_file_knows_it(tmp_path: Path, head: str, tail: str, task: str) -> None:
    found = fixed(tmp_path, "[Test] public async void A() { }\n", unsafe=False, head=head, tail=tail)
    assert found == f"[Test] public async {task} A() {{ }}\n"


@pytest.mark.parametrize(
    ("head", "tail"),
    [
        ("partial class T\n{\n", "}\n"),  # other parts may call what is private here
        ("class T\n{\nclass U : Base\n{\npublic ", "}\n}\n"),
    ],
)
def test_other_parts_of_a_type_count_as_elsewhere(tmp_path: Path, head: str, tail: str) -> None:
    members = "async void B() { }\nasync Task C() { B(); }\n"
    assert fixed(tmp_path, members, unsafe=False, head=head, tail=tail) == members
