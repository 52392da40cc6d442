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
