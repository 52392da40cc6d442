class_name Room
extends Node2D

signal lit

var torches := 0


func light_torch() -> void:
	torches += 1
	if torches == 4:
		lit.emit()
