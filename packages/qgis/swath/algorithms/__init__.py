"""What the plugin does, as algorithms for the toolbox, models and qgis_process."""
