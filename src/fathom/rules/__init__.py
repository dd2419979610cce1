"""What is agreed before a game: rulebook, chart, sheets, scenario and table, typed and checked."""
