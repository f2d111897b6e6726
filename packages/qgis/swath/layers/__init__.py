"""Layers of the map that come from a Swath server."""
