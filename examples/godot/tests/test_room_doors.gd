@tool
extends McpTestSuite


func suite_name() -> String:
	return "room"


func test_a_door_has_two_sides() -> void:
	var door := {"from": "hall", "to": "crypt"}
	assert_eq(door.size(), 2)
