export const areaTexts = {
  label: 'Area of interest',
  shapes: { polygon: 'Draw a polygon', box: 'Draw a rectangle', circle: 'Draw a circle' },
  hints: {
    polygon:
      'Click the corners on the map; a double click ends. By keyboard: move the map, Enter adds a corner, Escape ends.',
    box: 'Click two opposite corners on the map.',
    circle: 'Click the centre, then the edge.',
  },
  view: 'Use the view of the map',
  paste: 'Paste, open a file, or use a saved area',
  clear: 'Remove the area',
  text: 'Area as text',
  textHelp: 'GeoJSON, WKT, KML, "west,south,east,north" or "lon,lat lon,lat …". A file can be dropped here.',
  use: 'Use this area',
  file: 'From a file',
  saved: 'Saved areas',
  choose: 'Choose…',
  name: 'Save the area as',
  save: 'Save',
  errors: {
    'unknown-format': 'No polygon was found. Paste GeoJSON, WKT, KML or coordinates.',
    'too-large': 'This is larger than 4 MB. Simplify the area first.',
  },
} as const
