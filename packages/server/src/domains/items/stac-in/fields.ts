import { commonNames } from '../stac-asset.ts'
import { geometryShape } from './geometry-shape.ts'
import { isObject, isText, type Members } from './document.ts'

type Fits = (value: unknown) => boolean

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)
const isCount: Fits = (value) => Number.isInteger(value) && (value as number) >= 0
const between =
  (low: number, high: number): Fits =>
  (value) =>
    isNumber(value) && value >= low && value <= high
const orNull =
  (fits: Fits): Fits =>
  (value) =>
    value === null || fits(value)
const oneOf =
  (...words: readonly string[]): Fits =>
  (value) =>
    isText(value) && words.includes(value)
const numbers =
  (...lengths: readonly number[]): Fits =>
  (value) =>
    Array.isArray(value) && lengths.includes(value.length) && value.every(isNumber)
const listOf =
  (fits: Fits): Fits =>
  (value) =>
    Array.isArray(value) && value.length > 0 && value.every(fits)

/** A minimal PROJJSON check: an object with a CRS type and a name. */
const isProjjson: Fits = (value) =>
  isObject(value) && isText(value['type']) && value['type'].endsWith('CRS') && isText(value['name'])

const isCentroid: Fits = (value) =>
  isObject(value) && between(-90, 90)(value['lat']) && between(-180, 180)(value['lon'])

const isValues: Fits = (value) =>
  isObject(value) && listOf(() => true)(value['values']) && isText(value['summary']) && value['summary'] !== ''

/** Fields of the extensions that this platform writes, with validators of their schemas. */
const fields: Readonly<Record<string, Fits>> = {
  'eo:cloud_cover': between(0, 100),
  'eo:snow_cover': between(0, 100),
  'eo:bands': listOf(isObject),
  'raster:bands': listOf(isObject),
  'proj:epsg': orNull((value) => Number.isInteger(value)),
  'proj:wkt2': orNull(isText),
  'proj:projjson': orNull(isProjjson),
  'proj:geometry': geometryShape,
  'proj:bbox': numbers(4, 6),
  'proj:centroid': isCentroid,
  'proj:shape': (value) => Array.isArray(value) && value.length === 2 && value.every((side) => Number.isInteger(side)),
  'proj:transform': numbers(6, 9),
  'file:byte_order': oneOf('big-endian', 'little-endian'),
  'file:checksum': (value) => isText(value) && /^[a-f0-9]+$/.test(value),
  'file:header_size': isCount,
  'file:size': isCount,
  'file:values': listOf(isValues),
  'file:local_path': (value) => isText(value) && /^[^\r\n\t\\:'"/]+(\/[^\r\n\t\\:'"/]+)*\/?$/.test(value),
  'view:off_nadir': between(0, 90),
  'view:incidence_angle': between(0, 90),
  'view:azimuth': between(0, 360),
  'view:sun_azimuth': between(0, 360),
  'view:sun_elevation': between(-90, 90),
}

const eoBand: Readonly<Record<string, Fits>> = {
  name: isText,
  common_name: (value) => isText(value) && commonNames.has(value),
  description: (value) => isText(value) && value !== '',
  center_wavelength: isNumber,
  full_width_half_max: isNumber,
  solar_illumination: between(0, Infinity),
}

const dataTypes = ['int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'uint64', 'float16', 'float32']

const isStatistics: Fits = (value) =>
  isObject(value) &&
  Object.keys(value).length > 0 &&
  Object.entries(value).every(
    ([name, one]) => ['mean', 'minimum', 'maximum', 'stddev', 'valid_percent'].includes(name) && isNumber(one),
  )

const isHistogram: Fits = (value) =>
  isObject(value) &&
  Object.keys(value).length === 4 &&
  ['count', 'min', 'max'].every((name) => isNumber(value[name])) &&
  Array.isArray(value['buckets']) &&
  value['buckets'].length >= 3 &&
  value['buckets'].every((count) => Number.isInteger(count))

const rasterBand: Readonly<Record<string, Fits>> = {
  data_type: oneOf(...dataTypes, 'float64', 'cint16', 'cint32', 'cfloat32', 'cfloat64', 'other'),
  unit: isText,
  bits_per_sample: (value) => Number.isInteger(value),
  sampling: oneOf('area', 'point'),
  nodata: (value) => isNumber(value) || oneOf('nan', 'inf', '-inf')(value),
  scale: isNumber,
  offset: isNumber,
  spatial_resolution: isNumber,
  statistics: isStatistics,
  histogram: isHistogram,
}

const ours = /^(eo|file|proj|raster|view):/

/** False for a field of our extensions that its schema does not define, or with an invalid value. */
export const fitsExtension = (name: string, value: unknown): boolean =>
  !ours.test(name) || (Object.hasOwn(fields, name) && fields[name]!(value))

/** The fallback name for a value that the extension rejects: `proj_epsg_code`, `given_common_name`. */
const plainName = (name: string): string => (name.includes(':') ? name.replace(':', '_') : `given_${name}`)

/** Band objects with rejected fields under fallback names. */
function fittedBands(bands: readonly Members[], known: Readonly<Record<string, Fits>>): Members[] {
  return bands.map((band) =>
    Object.fromEntries(
      Object.entries(band).map(([name, value]) =>
        Object.hasOwn(known, name) && !known[name]!(value) ? [plainName(name), value] : [name, value],
      ),
    ),
  )
}

/**
 * Moves undefined or invalid fields of our extensions to fallback names, so that the item does not declare an extension
 * that it violates. Band objects are treated alike.
 */
export function fitFields(members: Members): void {
  for (const [name, value] of Object.entries(members)) {
    if (!ours.test(name)) continue
    if (!fitsExtension(name, value)) {
      delete members[name]
      members[plainName(name)] = value
    } else if (name === 'eo:bands') members[name] = fittedBands(value as Members[], eoBand).map(nonEmpty)
    else if (name === 'raster:bands') members[name] = fittedBands(value as Members[], rasterBand).map(nonEmpty)
  }
}

/** Both schemas require non-empty band objects. */
const nonEmpty = (band: Members, index: number): Members =>
  Object.keys(band).length > 0 ? band : { description: `Band ${index + 1}` }
