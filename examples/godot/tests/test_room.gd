@tool
extends McpTestSuite

const Room := preload("res://dungeon/room.gd")

var _room: Room


func suite_name() -> String:
	return "room"


func setup() -> void:
	_room = Room.new()
	track(_room)


func test_a_room_begins_dark() -> void:
	assert_eq(_room.torches, 0)


func test_four_torches_light_a_room() -> void:
	for torch in 4:
		_room.light_torch.call_deferred()
	await _room.lit
	assert_eq(_room.torches, 4)
