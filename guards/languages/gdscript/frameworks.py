"""What the test frameworks for Godot fix: base classes, hooks, which functions are tests and which files are found."""

MCP, GUT, GDUNIT4 = "McpTestSuite", "GutTest", "GdUnitTestSuite"
FRAMEWORKS = (MCP, GUT, GDUNIT4)
HOOKS = {
    MCP: frozenset({"suite_setup", "setup", "teardown", "suite_teardown", "suite_name"}),
    GUT: frozenset({"before_all", "before_each", "after_each", "after_all", "should_skip_script"}),
    GDUNIT4: frozenset({"before", "after", "before_test", "after_test"}),
}
# The engine class that a framework's base class derives from.
ENGINE_BASES = {MCP: "RefCounted", GUT: "Node", GDUNIT4: "Node"}
TEST_PREFIX = "test_"
# Every framework's assertions begin so, and those of versions to come.
OUTCOME_PREFIX = "assert_"
# Calls that mark the test as skipped; the test goes on behind them.
SKIPS = {MCP: frozenset({"skip"}), GUT: frozenset({"pending"}), GDUNIT4: frozenset[str]()}
# Outcomes beside assertions and skips.
OUTCOMES = {
    MCP: frozenset[str](),
    GUT: frozenset({"pass_test", "fail_test"}),
    GDUNIT4: frozenset({"fail", "verify", "verify_no_interactions", "verify_no_more_interactions", "await_signal_on"}),
}
# These give back whether the test is skipped, and mark it so.
SKIP_GUARDS = {
    MCP: frozenset({"skip_on_godot_lt"}),
    GUT: frozenset({"skip_if_godot_version_lt", "skip_if_godot_version_ne"}),
    GDUNIT4: frozenset[str](),
}
# Methods of a scene runner that fail the test when what they wait for does not come.
OUTCOME_METHOD_PREFIX = "await_"
OUTCOME_METHODS = {
    MCP: frozenset[str](),
    GUT: frozenset[str](),
    GDUNIT4: frozenset({"await_func", "await_func_on", "await_signal", "await_signal_on"}),
}
# A function with one of these parameters says by it whether it is skipped.
SKIP_PARAMETERS = {MCP: frozenset[str](), GUT: frozenset[str](), GDUNIT4: frozenset({"do_skip"})}
# GUT also runs the classes in a suite that derive from its base and begin so.
GUT_INNER_PREFIX = "Test"


def framework_of_path(path: str) -> str:
    """The framework whose base class a path of a script means, wherever the file is; empty for none."""
    if path.endswith("addons/gut/test.gd"):
        return GUT
    if path.endswith("addons/godot_ai/testing/test_suite.gd"):
        return MCP
    # This is how gdUnit4 itself tells.
    return GDUNIT4 if "GdUnitTestSuite" in path else ""


def is_discovered(resource: str, directory: str, prefix: str, suffix: str) -> bool:
    """Whether the runner of McpTestSuite finds a script: directly in its folder, and by its name, letter by letter."""
    name = resource.rpartition("/")[2]
    folder = directory if directory.endswith("/") else f"{directory}/"
    return resource == folder + name and name.startswith(prefix) and name.endswith(suffix)
