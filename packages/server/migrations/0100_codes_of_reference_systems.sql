-- Items show `proj:code` beside `proj:epsg`, in a version of the extension that allows both: stored Features lack it.
truncate item_features;
