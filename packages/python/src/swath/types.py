"""The types of inputs and outputs, for annotations: `from swath.types import Order`."""

from swath._generated.types import *  # noqa: F403
