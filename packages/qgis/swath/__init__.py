"""Satellite imagery of a Swath server in QGIS."""


def classFactory(iface):
    """The plugin, as QGIS loads it."""
    from .plugin import SwathPlugin

    return SwathPlugin(iface)
