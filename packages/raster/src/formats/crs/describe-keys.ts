import type { GeoKeys } from './parse-geo-keys.ts'
import { angularUnitsByCode, ellipsoidsByCode, linearUnitsByCode, primeMeridiansByCode } from './epsg-parameters.ts'
import { geoKeyCodes, user_defined_geo_key_code } from './geo-keys.ts'
import type { ProjectionParameterDefinition } from './geo-keys.ts'
import { projectionMethods } from './projection-methods.ts'
import {
  formatEllipsoidProj4,
  projectedCrsToProj4,
  readProjectionParameters,
  unsupportedCrsFailure,
} from './projection-text.ts'
import { findCrs } from './crs-table.ts'

const projected_model = 1
const geographic_model = 2

/**
 * The proj4 text of a reference system that GeoKeys describe by a projection and its parameters, an ellipsoid, a datum,
 * a prime meridian and units; null where they describe none. Throws `unsupportedCrsFailure`, which names the part that is not
 * supported: better no position than a wrong one.
 */
export async function geoKeysToProj4(keys: GeoKeys): Promise<string | null> {
  const model = keys.get(geoKeyCodes.modelType)
  if (model !== projected_model && model !== geographic_model && !describesAnything(keys)) return null
  const degrees = unitOf(keys, geoKeyCodes.angularUnits, geoKeyCodes.angularUnitSize, angularUnitsByCode, 180 / Math.PI)
  const geodetic = await geodeticText(keys, degrees)
  if (!isProjected(keys)) {
    if (degrees !== 1) throw unsupportedCrsFailure('its angles are not in degrees')
    return `+proj=longlat ${geodetic} +no_defs`
  }
  const metres = unitOf(keys, geoKeyCodes.projectedUnits, geoKeyCodes.projectedUnitSize, linearUnitsByCode, 1)
  const conversion = codeOf(keys, geoKeyCodes.projection)
  const code = codeOf(keys, geoKeyCodes.method)
  if (conversion !== null) return `${utmText(conversion)} ${geodetic} ${unitText(metres)} +no_defs`
  const given = readProjectionParameters((source) => parameterOf(keys, source), { degrees, metres })
  const method = projectionMethods.find(({ geoKey, applies }) => geoKey === code && applies(given))
  if (code === null) throw unsupportedCrsFailure('it names no projection')
  return projectedCrsToProj4(method, `number ${code} of GeoTIFF`, given, { geodetic, metres })
}

const describesAnything = (keys: GeoKeys): boolean =>
  [geoKeyCodes.geodeticCrs, geoKeyCodes.projectedCrs, geoKeyCodes.method].some((key) => keys.has(key))

const isProjected = (keys: GeoKeys): boolean =>
  keys.get(geoKeyCodes.modelType) === projected_model ||
  keys.has(geoKeyCodes.projectedCrs) ||
  keys.has(geoKeyCodes.method)

const unitText = (metres: number): string => (metres === 1 ? '+units=m' : `+to_meter=${metres}`)

function numberOf(keys: GeoKeys, key: number): number | undefined {
  const value = keys.get(key)
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** A code of the EPSG register; null where the key is absent, undefined (0) or says that other keys describe it. */
function codeOf(keys: GeoKeys, key: number): number | null {
  const code = numberOf(keys, key)
  return code === undefined || code === 0 || code === user_defined_geo_key_code ? null : code
}

function parameterOf(keys: GeoKeys, source: ProjectionParameterDefinition): number | undefined {
  return source.keys.map((key) => numberOf(keys, key)).find((value) => value !== undefined)
}

/** The size of a unit by its code, or by the key that holds the size of one without a code, in units of `base`. */
function unitOf(
  keys: GeoKeys,
  codeKey: number,
  sizeKey: number,
  table: Readonly<Record<number, number>>,
  base: number,
): number {
  const code = numberOf(keys, codeKey)
  if (code === undefined || code === 0) return 1
  const size = code === user_defined_geo_key_code ? (numberOf(keys, sizeKey) ?? 0) * base : table[code]
  if (!size) throw unsupportedCrsFailure(`its unit, EPSG:${code}, is not read`)
  return size
}

/** A conversion by code goes before all parameters; writers give zones of UTM so, for a datum that has no system of its own. */
function utmText(conversion: number): string {
  const [family, zone] = [Math.floor(conversion / 100), conversion % 100]
  if ((family !== 160 && family !== 161) || zone < 1 || zone > 60)
    throw unsupportedCrsFailure(`its projection, EPSG:${conversion}, is not read`)
  return `+proj=utm +zone=${zone}${family === 161 ? ' +south' : ''}`
}

/** Datum, ellipsoid, shift and prime meridian. A code says all of them; else the keys do, WGS 84 where they are silent. */
async function geodeticText(keys: GeoKeys, degrees: number): Promise<string> {
  const shift = shiftText(keys)
  const code = codeOf(keys, geoKeyCodes.geodeticCrs)
  if (code !== null)
    return withShift(await wordsOfCode(code, `its geographic system, EPSG:${code}, is not read`), shift)
  const datum = codeOf(keys, geoKeyCodes.geodeticDatum)
  const words = datum === null ? ellipsoidOf(keys) : withoutMeridian(await wordsOfDatum(datum))
  return `${withShift(words, shift)}${meridianText(keys, degrees)}`
}

const withoutMeridian = (words: string): string => words.replace(/ ?\+pm=\S+/, '')
const withShift = (words: string, shift: string): string =>
  shift === '' ? words : `${words.replace(/ ?\+towgs84=\S+/, '')}${shift}`

/** GDAL and others keep the parameters of a shift in a key of their own. */
function shiftText(keys: GeoKeys): string {
  const shift = keys.get(geoKeyCodes.toWgs84)
  return Array.isArray(shift) && (shift.length === 3 || shift.length === 7) ? ` +towgs84=${shift.join(',')}` : ''
}

async function wordsOfCode(code: number, refusal: string): Promise<string> {
  const found = await findCrs(code)
  if (!found?.proj4.startsWith('+proj=longlat ')) throw unsupportedCrsFailure(refusal)
  return found.proj4.replace('+proj=longlat ', '').replace(' +no_defs', '')
}

/** In the range of the first edition of the register a datum and its geographic system differ by 2000. */
function wordsOfDatum(datum: number): Promise<string> {
  const isOld = datum >= 6000 && datum < 7000
  return wordsOfCode(isOld ? datum - 2000 : Number.NaN, `its datum, EPSG:${datum}, is not read`)
}

function ellipsoidOf(keys: GeoKeys): string {
  const a = numberOf(keys, geoKeyCodes.semiMajorAxis)
  if (a !== undefined) {
    const unit = unitOf(keys, geoKeyCodes.linearUnits, geoKeyCodes.linearUnitSize, linearUnitsByCode, 1)
    const b = numberOf(keys, geoKeyCodes.semiMinorAxis)
    const rf = numberOf(keys, geoKeyCodes.inverseFlattening)
    return formatEllipsoidProj4(a * unit, { rf, b: b === undefined ? undefined : b * unit })
  }
  const code = codeOf(keys, geoKeyCodes.ellipsoid)
  if (code === null) return '+datum=WGS84'
  const known = ellipsoidsByCode[code]
  if (!known) throw unsupportedCrsFailure(`its ellipsoid, EPSG:${code}, is not read`)
  return formatEllipsoidProj4(known.a, known)
}

function meridianText(keys: GeoKeys, degrees: number): string {
  const longitude = numberOf(keys, geoKeyCodes.primeMeridianLongitude)
  const code = codeOf(keys, geoKeyCodes.primeMeridian)
  const meridian = longitude === undefined ? primeMeridiansByCode[code ?? 8901] : longitude * degrees
  if (meridian === undefined) throw unsupportedCrsFailure(`its prime meridian, EPSG:${code}, is not read`)
  return meridian === 0 ? '' : ` +pm=${meridian}`
}
