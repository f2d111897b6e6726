"""Scenes as frames, items as cubes, measurements as tables: what the methods of `Swath` return."""
