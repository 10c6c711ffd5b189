"""Pictures as SVG text: pure functions of what they show."""
