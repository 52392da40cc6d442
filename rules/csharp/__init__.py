"""Rules about C# tests."""
