@tool
extends McpTestSuite


func suite_name() -> String:
	return "prices"


func test_a_torch_costs_two_coins() -> void:
	assert_eq(Prices.of("torch"), 2)
