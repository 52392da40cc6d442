"""The built-in rules, one module each; installed as ``guards.rules``."""
