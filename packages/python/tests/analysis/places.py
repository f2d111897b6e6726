"""Areas of the tests, in degrees: west, south, east, north."""

EXETER = (-3.54, 50.70, -3.50, 50.73)
