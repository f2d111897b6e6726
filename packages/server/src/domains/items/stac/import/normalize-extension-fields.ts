import { eoCommonNames } from '../stac-asset.ts'
import { isGeoJsonGeometry } from './geojson-geometry.ts'
import { isObject, isString, type JsonObject } from './document.ts'

type FieldValidator = (value: unknown) => boolean

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)
const isCount: FieldValidator = (value) => Number.isInteger(value) && (value as number) >= 0
const between =
  (low: number, high: number): FieldValidator =>
  (value) =>
    isNumber(value) && value >= low && value <= high
const nullable =
  (isValid: FieldValidator): FieldValidator =>
  (value) =>
    value === null || isValid(value)
const enumOf =
  (...words: readonly string[]): FieldValidator =>
  (value) =>
    isString(value) && words.includes(value)
const numberArray =
  (...lengths: readonly number[]): FieldValidator =>
  (value) =>
    Array.isArray(value) && lengths.includes(value.length) && value.every(isNumber)
const listOf =
  (isValid: FieldValidator): FieldValidator =>
  (value) =>
    Array.isArray(value) && value.length > 0 && value.every(isValid)

/** A minimal PROJJSON check: an object with a CRS type and a name. */
const isProjjson: FieldValidator = (value) =>
  isObject(value) && isString(value['type']) && value['type'].endsWith('CRS') && isString(value['name'])

const isCentroid: FieldValidator = (value) =>
  isObject(value) && between(-90, 90)(value['lat']) && between(-180, 180)(value['lon'])

const isFileValue: FieldValidator = (value) =>
  isObject(value) && listOf(() => true)(value['values']) && isString(value['summary']) && value['summary'] !== ''

/** Fields of the extensions that this platform writes, with validators of their schemas. */
const extensionFields: Readonly<Record<string, FieldValidator>> = {
  'eo:cloud_cover': between(0, 100),
  'eo:snow_cover': between(0, 100),
  'eo:bands': listOf(isObject),
  'raster:bands': listOf(isObject),
  'proj:epsg': nullable((value) => Number.isInteger(value)),
  'proj:code': nullable(isString),
  'proj:wkt2': nullable(isString),
  'proj:projjson': nullable(isProjjson),
  'proj:geometry': isGeoJsonGeometry,
  'proj:bbox': numberArray(4, 6),
  'proj:centroid': isCentroid,
  'proj:shape': (value) => Array.isArray(value) && value.length === 2 && value.every((side) => Number.isInteger(side)),
  'proj:transform': numberArray(6, 9),
  'file:byte_order': enumOf('big-endian', 'little-endian'),
  'file:checksum': (value) => isString(value) && /^[a-f0-9]+$/.test(value),
  'file:header_size': isCount,
  'file:size': isCount,
  'file:values': listOf(isFileValue),
  'file:local_path': (value) => isString(value) && /^[^\r\n\t\\:'"/]+(\/[^\r\n\t\\:'"/]+)*\/?$/.test(value),
  'view:off_nadir': between(0, 90),
  'view:incidence_angle': between(0, 90),
  'view:azimuth': between(0, 360),
  'view:sun_azimuth': between(0, 360),
  'view:sun_elevation': between(-90, 90),
}

const eoBandFields: Readonly<Record<string, FieldValidator>> = {
  name: isString,
  common_name: (value) => isString(value) && eoCommonNames.has(value),
  description: (value) => isString(value) && value !== '',
  center_wavelength: isNumber,
  full_width_half_max: isNumber,
  solar_illumination: between(0, Infinity),
}

const dataTypes = ['int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'uint64', 'float16', 'float32']

const isStatistics: FieldValidator = (value) =>
  isObject(value) &&
  Object.keys(value).length > 0 &&
  Object.entries(value).every(
    ([name, statistic]) =>
      ['mean', 'minimum', 'maximum', 'stddev', 'valid_percent'].includes(name) && isNumber(statistic),
  )

const isHistogram: FieldValidator = (value) =>
  isObject(value) &&
  Object.keys(value).length === 4 &&
  ['count', 'min', 'max'].every((name) => isNumber(value[name])) &&
  Array.isArray(value['buckets']) &&
  value['buckets'].length >= 3 &&
  value['buckets'].every((count) => Number.isInteger(count))

const rasterBandFields: Readonly<Record<string, FieldValidator>> = {
  data_type: enumOf(...dataTypes, 'float64', 'cint16', 'cint32', 'cfloat32', 'cfloat64', 'other'),
  unit: isString,
  bits_per_sample: (value) => Number.isInteger(value),
  sampling: enumOf('area', 'point'),
  nodata: (value) => isNumber(value) || enumOf('nan', 'inf', '-inf')(value),
  scale: isNumber,
  offset: isNumber,
  spatial_resolution: isNumber,
  statistics: isStatistics,
  histogram: isHistogram,
}

const ownPrefix = /^(eo|file|proj|raster|view):/

/** False for a field of our extensions that its schema does not define, or with an invalid value. */
export const isValidExtensionField = (name: string, value: unknown): boolean =>
  !ownPrefix.test(name) || (Object.hasOwn(extensionFields, name) && extensionFields[name]!(value))

/** The fallback name for a value that the extension rejects: `proj_epsg_code`, `given_common_name`. */
const fallbackName = (name: string): string => (name.includes(':') ? name.replace(':', '_') : `given_${name}`)

/** Band objects with rejected fields under fallback names. */
function normalizeBands(
  bands: readonly JsonObject[],
  bandFields: Readonly<Record<string, FieldValidator>>,
): JsonObject[] {
  return bands.map((band) =>
    Object.fromEntries(
      Object.entries(band).map(([name, value]) =>
        Object.hasOwn(bandFields, name) && !bandFields[name]!(value) ? [fallbackName(name), value] : [name, value],
      ),
    ),
  )
}

/**
 * Moves undefined or invalid fields of our extensions to fallback names, so that the item does not declare an extension
 * that it violates. Band objects are treated alike.
 */
export function normalizeExtensionFields(members: JsonObject): void {
  for (const [name, value] of Object.entries(members)) {
    if (!ownPrefix.test(name)) continue
    if (!isValidExtensionField(name, value)) {
      delete members[name]
      members[fallbackName(name)] = value
    } else if (name === 'eo:bands')
      members[name] = normalizeBands(value as JsonObject[], eoBandFields).map(withDescription)
    else if (name === 'raster:bands')
      members[name] = normalizeBands(value as JsonObject[], rasterBandFields).map(withDescription)
  }
}

/** Both schemas require non-empty band objects. */
const withDescription = (band: JsonObject, index: number): JsonObject =>
  Object.keys(band).length > 0 ? band : { description: `Band ${index + 1}` }
