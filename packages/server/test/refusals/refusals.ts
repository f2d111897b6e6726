/** What is said of something that cannot be used. */
export interface Refusal {
  /** The operation, the process, or `upload`. */
  readonly where: string
  /** What the tests call the input. */
  readonly input: string
  readonly what: string
  /** `…` stands for what differs; without the path of a field before it. */
  readonly sentence: string
}

type Row = readonly [where: string, input: string, what: string, sentence: string]

const rows: readonly Row[] = [
  ['clip', 'bowTie', 'an area whose border crosses itself', 'the border of the polygon crosses or touches itself near …: draw it anew, or cut it into polygons that do not cross'],
  ['clip', 'tenthOfMetre', 'an area smaller than a pixel', 'the area is smaller or thinner than a pixel of the image and holds the centre of none; choose a larger one'],
  ['clip', 'acrossSeam', 'an area across the 180° meridian', 'an edge spans half the globe or more: an area across the 180° meridian is a MultiPolygon of two polygons that are cut there'],
  ['clip', 'elsewhere', 'an area outside of the image', 'the area lies outside of the image; choose one that reaches it'],
  ['clip', 'beyondPole', 'a latitude beyond a pole', 'latitude 91 is not between -90 and 90'],
  ['clip', 'line', 'a polygon of two positions', 'a ring must have at least four positions, of which the last repeats the first'],
  ['clip', 'open', 'a ring that is not closed', 'a ring must be closed: its last position repeats the first'],
  ['clip', 'words', 'coordinates that are words', 'must be number'],
  ['clip', 'point', 'a point as an area', 'must be Polygon or MultiPolygon'],
  ['clip', 'nothing', 'no area', 'is required'],
  ['clip', 'empty', 'an area where the image has no data', 'the image has no data in the area: all of its pixels there are nodata; choose an area with data'],
  ['rasterize', 'tenthOfMetre', 'an area smaller than a pixel', 'the area is smaller or thinner than a pixel of the image and holds the centre of none; choose a larger one'],
  ['rasterize', 'elsewhere', 'an area outside of the image', 'the area lies outside of the image; choose one that reaches it'],
  ['rasterize', 'bowTie', 'an area whose border crosses itself', 'the border of the polygon crosses or touches itself near …: draw it anew, or cut it into polygons that do not cross'],
  ['reproject', 'geocentric', 'a geocentric system', 'the reference system EPSG:4978 cannot be used: it is geocentric, with x, y and z from the middle of the Earth; choose one of a map or of longitude and latitude, such as EPSG:4326 or a UTM zone'],
  ['reproject', 'heights', 'a system of heights', 'the reference system EPSG:5773 cannot be used: it is one of heights, without a place on the map; choose one of a map or of longitude and latitude, such as EPSG:4326 or a UTM zone'],
  ['reproject', 'unknown', 'a code that no system has', 'the reference system EPSG:999999 cannot be used: no system that is read has this code; choose one of a map or of longitude and latitude, such as EPSG:4326 or a UTM zone'],
  ['reproject', 'elsewhere', 'a system that ends before the image', 'No part of the image lies in the area of use of EPSG:3031 (latitudes -90 to -60 degrees).'],
  ['reproject', 'tooFine', 'pixels that are too small', 'gives more pixels than a job may write; … gives few enough'],
  ['contours', 'tooFine', 'an interval that is too small', 'The interval … gives more than … levels or … positions; an interval of … gives fewer.'],
  ['contours', 'none', 'levels outside of the range of the values', 'The result "data" has no feature: no level lies between the values.'],
  ['contours', 'noneMeasured', 'the same for a band with statistics', 'is too large: no level lies between the values of the band, which are from … to …'],
  ['items.tile.point', 'elsewhere', 'a place outside of the image', 'the place lies outside of the image; choose one inside of it'],
  ['items.tile.preview', 'stretch', 'a stretch of another form', '“x” is no stretch; write two different numbers as in 0,3000'],
  ['items.tile.preview', 'formula', 'a formula that does not end', '“)” is missing before the end at position 5'],
  ['upload', 'short.tif', 'a GeoTIFF that is cut short', 'The file is cut short: a part of its image is missing. Save it again from its original, for example with gdal_translate.'],
  ['upload', 'complex.tif', 'complex numbers', 'Complex numbers (as of a radar before detection) are not read. Convert it, for example with gdal_translate -of COG.'],
  ['upload', 'lzma.tif', 'a compression that is not read', 'Compression by LZMA is not read. Convert it, for example with gdal_translate -of COG.'],
  ['upload', 'far.geojson', 'a point beyond the pole', 'Feature 1: The geometry is not a longitude and latitude within ±180 and ±90 degrees. Reproject the data to WGS 84 (EPSG:4326).'],
  ['upload', 'metres.geojson', 'coordinates in metres', 'Feature 1: Position 1 of ring 1 is not a longitude and latitude within ±180 and ±90 degrees. Reproject the data to WGS 84 (EPSG:4326).'],
  ['upload', 'words.geojson', 'coordinates that are words', 'Feature 1: Position 1 of ring 1 has coordinates that are not numbers.'],
  ['upload', 'circle.geojson', 'an unknown type of geometry', 'Feature 1: The geometry has a type that GeoJSON does not have.'],
  ['upload', 'broken.geojson', 'GeoJSON that is not JSON', 'The file is not valid JSON: there is an error in what begins in line 1. Export it again.'],
  ['upload', 'broken.kml', 'KML that is not XML', 'The KML is not well-formed XML: there is an error in line 3. Export it again.'],
  ['upload', 'prefix.kml', 'KML with a prefix that is not declared', 'The KML is not well-formed XML: it uses a prefix of names, as in "kml:Placemark", without its xmlns. Export it again.'],
  ['upload', 'other.kml', 'KML without features', 'The file has no feature with a geometry.'],
  ['upload', 'alone.zip', 'half a shapefile', 'The archive has no .dbf file for the shapefile. Include all of its files.'],
  ['upload', 'empty.tif', 'a file that is none of these', 'The file format is not supported. Supported are GeoTIFF, JPEG 2000, GeoJSON, KML, and ZIP archives of these or of shapefiles.'],
] // prettier-ignore

/** The refusals that the tests provoke, in the order of the page that is printed from them. */
export const refusals: readonly Refusal[] = rows.map(([where, input, what, sentence]) => ({
  where,
  input,
  what,
  sentence,
}))

const escapePattern = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** The expression that the whole message of a refusal matches. */
export function toMessagePattern(where: string, input: string): RegExp {
  const refusal = refusals.find((row) => row.where === where && row.input === input)
  if (!refusal) throw new Error(`no refusal of ${where} is called ${input}`)
  return new RegExp(`^(?:[a-z_.\\d]+: )?${refusal.sentence.split('…').map(escapePattern).join('.+')}$`)
}
