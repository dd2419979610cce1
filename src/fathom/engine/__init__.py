"""The game itself: orders are judged, events are applied. No clock, no dice, no I/O."""
