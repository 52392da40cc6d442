"""Constructs that C# has and the grammar does not: what stands beside them is read all the same."""

import pytest

from guards.languages import syntax
from guards.languages.csharp.reading import Reading, read
from guards.source.text import SourceText

# In a method's body.
STATEMENTS = {
    "required as a name": "required.Foo(); required = 1; Use(required, a); required[0] = 2; required(3);",
    "async as a name": "async = 1; var x = async; Use(async: async); if (async) return; async.Foo(); return async;",
    "async as a function": "async(); Use(async(1), async(2));",
    "partial as a name": "partial = 1; partial.Foo(); Use(partial); partial[0] = 1; var x = partial;",
    "contextual names with operators": "required += 1; partial++; x = async | y; z = required is null; w = partial switch { _ => 1 };",
    "contextual names of lambdas": "F(async => async + 1); G(required => required.X, partial => partial);",
    "words of attributes in expressions": "a = [field + 1, x]; b = [type ?? y]; c = [method<int>()]; d = [param with { A = 1 }];",
    "slices of a list pattern": "var r = x switch { [1, .. var rest] => rest, [.. { Length: > 1 }] => x, [.. var a, _] => a, _ => x };",
    "words of attributes in collections": "int[] a = [type]; var b = [field, x]; c = [method, x]; d = [param]; e = [property];",
    "a lambda with in": "var f = (in int x) => x;",
    "a lambda with out": "var f = (int x, out int y) => { y = 1; };",
    "lambda modifiers without types": "var f = (ref x, out y) => { y = x; }; G((scoped ref x) => x);",
    "assignment to a call": "F(x) += v; F(x) = v; a.F(x, g(y)) = w; F<int>(1) ??= z;",
    "assignment to a call without arguments": "F() = 3; a.Slot() |= 4;",
    "assignment to a call of a call": "x.F(a)(b) = 2;",
    "indirection of a cast": "var v = *(int*)p; *(int*)p = 1; *(A.B*)p += 2;",
    "indirection of a sum": "*(p + 1) = 3; var v = *(p + (2 * q)); return *(p + 1) != 0;",
    "indirection of a cast sum": "*(int*)((byte*)p + o) = v; *((byte*)p + o) &= (byte)~(1U << o);",
    "indirection of a step": "*p++ = *q++; while (p < end) *p++ = 0; *--p = 1; x = *&y; *&z = 2;",
    "indirection after a plain cast": "y = (uint)*(p + 1); z = (byte*)*(q);",
    "indirection after a condition": "if (a)\n *((byte*)p + o) |= 1;\n else\n *((byte*)p + o) &= 2;",
    "indirection in an assigning lambda": "a.On = v => *(int*)v.GetMemory() = i++;",
    "unchecked in a pattern": "var r = x switch { unchecked((int)0x80000000) => 1, _ => 2 };",
    "conditional assignment": "a?.b = c; a?.b += c; a?[0] = c; a?.b.c ??= d; a.b?.c[1] = e;",
    "braces around a hole": 'var s = $"{{{expr}}}"; var t = $"a{{{b}}}c{{{d:X}}}"; var u = $@"{{{x}}}";',
}  # fmt: skip

# Beside the class.
DECLARATIONS = {
    "allows ref struct": "class U<T> where T : allows ref struct { }",
    "allows ref struct among others": "class U<T> where T : IFoo, new(), allows ref struct { }",
    "extension block": "static class E { extension(string s) { public int L => s.Length; } }",
    "extension block without a name": 'static class E { extension(string) { public static string Q => ""; } }',
    "generic extension block": "static class E { extension<T>(IEnumerable<T> source) where T : class { bool Empty => !source.Any(); } }",
    "extension block of a tuple": "static class E { extension((int A, int B) pair) { int Sum => pair.A + pair.B; } }",
    "two extension blocks": "static class E { extension(string s) { int L => 1; } extension(int i) { int M => 2; } void N() { } }",
    "compound assignment operators": "class U { public void operator +=(U o) { } public void operator >>>=(int i) { } }",
    "checked compound assignment operators": "class U { public void operator checked -=(U o) { } }",
    "instance increment operators": "class U { public void operator ++() { } public void operator --() { } }",
    "ref partial struct": "public ref partial struct U { }",
    "fields with contextual names": "class U { bool required = false; int async = 3; void M(bool required, bool async) { } }",
}  # fmt: skip


def calls(reading: Reading) -> list[str]:
    """The text of every call in any variant."""
    return [
        syntax.text_of(node, variant.data)
        for variant in reading.variants
        for node in syntax.walk(variant.tree.root_node)
        if node.type == "invocation_expression"
    ]


def reading_of(text: str) -> Reading:
    reading = read(SourceText("T.cs", text.encode()))
    for variant in reading.variants:
        assert len(variant.data) == len(text.encode())
        assert variant.data.count(b"\n") == text.count("\n")
    return reading


@pytest.mark.parametrize("statements", STATEMENTS.values(), ids=STATEMENTS)
def test_what_follows_such_a_statement_is_read(statements: str) -> None:
    reading = reading_of(
        f"class T\n{{\n    void A()\n    {{\n        {statements}\n        Thread.Sleep(1);\n    }}\n}}\n"
    )
    assert "Thread.Sleep(1)" in calls(reading)
    assert reading.unread == ()


@pytest.mark.parametrize("declaration", DECLARATIONS.values(), ids=DECLARATIONS)
def test_what_follows_such_a_declaration_is_read(declaration: str) -> None:
    reading = reading_of(f"{declaration}\nclass T\n{{\n    void A() {{ Thread.Sleep(1); }}\n}}\n")
    assert "Thread.Sleep(1)" in calls(reading)
    assert reading.unread == ()


def test_all_statements_in_one_method() -> None:
    reading = reading_of("class T { void A() {\n" + "\nThread.Sleep(1);\n".join(STATEMENTS.values()) + "\n} }\n")
    assert calls(reading).count("Thread.Sleep(1)") == len(STATEMENTS) - 1
    assert reading.unread == ()


def test_members_of_an_extension_block_are_read() -> None:
    reading = reading_of("static class E { extension(Clock c) { void Wait() { Thread.Sleep(1); } } }\n")
    assert calls(reading) == ["Thread.Sleep(1)"]


def test_code_inside_a_repaired_construct_is_read() -> None:
    reading = reading_of("class T { void A() { a?.b = Read(1); Slot(0) = Read(2); *(p + Read(3)) = Read(4); } }\n")
    assert [call for call in calls(reading) if call.startswith("Read")] == ["Read(1)", "Read(2)", "Read(3)", "Read(4)"]


@pytest.mark.parametrize(
    "innocent",
    [
        'var s = "a?.b = c; required.X; [type]; F(x) = v; *(p + 1)";',
        'var s = @"extension(string s) { } $""{{{x}}}""";',
        "// a?.b = c; allows ref struct",
        "/* F(x) += v; [type] */",
        'var s = """{{{ async = 1; }}}""";',
        'var s = $"{{text}}{x}{{text}}";',
        "c = '?'; d = \"*(\";",
    ],
)
def test_strings_and_comments_stay_as_they_are(innocent: str) -> None:
    reading = reading_of(f"class T {{ void A() {{ {innocent}\n a?.b = c; Thread.Sleep(1); }} }}\n")
    assert innocent.encode() in reading.variants[0].data
    assert "Thread.Sleep(1)" in calls(reading)


@pytest.mark.parametrize(
    "innocent",
    [
        "var (a, b) = pair;",
        "(a, b) = (b, a);",
        "foreach (var (a, b) in pairs) { }",
        "var f = async (int x) => await G(x);",
        "async Task L() { await G(); }",
        "async (int, int) L() => (1, 2);",
        "var q = a ? b : c;",
        "x = a * (b + c);",
        "x = a * ++b * --c;",
        "x = (a) * ++b;",
        "int* p = &x;",
        "x = a & b && c;",
        "x = y[1..z];",
        "int[] x = [.. y, .. z];",
        "if (a is [1, ..]) { }",
        "[field: X] void L3() { }",
        "[return: X] int L4() => 1;",
        "y = (a)\n * (b);",
        "var z = checked(a + b);",
        "if (a is { B: > 3 }) { }",
        "static async Task L2() => await G();",
    ],
)
def test_like_looking_code_beside_a_gap_keeps_its_shape(innocent: str) -> None:
    plain = reading_of(f"class T {{ void A() {{\n {innocent}\n }} }}\n")
    mended = reading_of(f"class T {{ void A() {{\n {innocent}\n a?.b = c;\n Slot(1) = 2; *(p + 1) = 3; }} }}\n")
    assert mended.unread == ()
    assert innocent.encode() in mended.variants[0].data
    end = len(f"class T {{ void A() {{\n {innocent}")
    assert shape(mended, end) == shape(plain, end)


def shape(reading: Reading, end: int) -> list[str]:
    return [node.type for node in syntax.walk(reading.variants[0].tree.root_node) if node.end_byte <= end]


def test_a_file_that_parses_is_not_rewritten() -> None:
    text = "class T { void A() { var x = a * (b); operator_(1); required_(2); var f = (int x) => x; } }\n"
    reading = reading_of(text)
    assert reading.variants[0].data is reading.plain is reading.text.data


def test_repairs_beside_a_real_error_help_and_leave_it() -> None:
    reading = reading_of(
        "class T\n{\n    void A() { a?.b = c; }\n    void B() { x = ; }\n    void C() { d?.e += 1; }\n}\n"
    )
    assert [reading.text.line_of(start) for start, _ in reading.unread] == [4]


def test_a_gap_in_one_branch_does_not_touch_the_other() -> None:
    reading = reading_of(
        "class T { void A() {\n#if A\n a?.b = c;\n#else\n x = y ? z : w;\n#endif\n Thread.Sleep(1); } }\n"
    )
    assert calls(reading) == ["Thread.Sleep(1)"] * 2
    assert b"x = y ? z : w;" in reading.variants[1].data


def test_many_gaps_in_a_long_file_are_quick() -> None:
    line = "        a?.b = c; Slot(1) = 2; var f = (in int x) => x; required.Foo();\n"
    reading = reading_of("class T {\n    void A() {\n" + line * 500 + "        Thread.Sleep(1);\n    }\n}\n")
    assert reading.unread == ()
