export const areaTexts = {
  label: 'Area of interest',
  shapes: { polygon: 'Draw a polygon', box: 'Draw a rectangle', circle: 'Draw a circle' },
  /** On the buttons; the longer names contain them. */
  words: { polygon: 'Polygon', box: 'Rectangle', circle: 'Circle', view: 'Map view', paste: 'Paste or file' },
  hints: {
    polygon:
      'Click the corners on the map; a double click ends. By keyboard: move the map, Enter adds a corner, Escape ends.',
    box: 'Click two opposite corners on the map.',
    circle: 'Click the centre, then the edge.',
  },
  view: 'Map view: the area that the map shows',
  paste: 'Paste or file: coordinates, a file, or a saved area',
  size: (km2: string) => `Area of ${km2}`,
  clear: 'Remove the area',
  text: 'Area as text',
  textHelp:
    'GeoJSON, WKT, KML, "west,south,east,north" or "lon,lat lon,lat …". A file can be dropped anywhere on the page.',
  use: 'Use this area',
  file: 'From a file: GeoJSON, KML, KMZ or a zipped shapefile',
  drop: 'Drop the file to use its area',
  saved: 'Saved areas',
  name: 'Save the area as',
  save: 'Save',
  remove: (name: string) => `Delete “${name}”`,
  simplified: (positions: number) =>
    `The outline had ${positions.toLocaleString('en')} positions; those that matter least were left out.`,
  unknown: 'The area of this address is kept in another browser. Draw or open it again.',
  errors: {
    'unknown-format': 'No polygon was found. Paste GeoJSON, WKT, KML or coordinates.',
    'too-large': 'This is too large: 4 MB of text or a zip file of 20 MB at most. Simplify the area first.',
    'unreadable-archive': 'This zip file cannot be read, or the projection of its shapefile is not known.',
    'unreadable-file': 'This file cannot be read.',
    'no-area-in-archive': 'There is no shapefile, KML or GeoJSON in this zip file.',
  },
} as const
