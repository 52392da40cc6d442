"""The reply of ``test_run``, the runner of a Godot editor's plug-in."""
