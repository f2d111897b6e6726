import type { Affine } from '@swath/geo/affine.ts'
import { RasterFailure } from '../../failures.ts'
import { readProj4Number } from '../../formats/crs/proj4-number.ts'
import type { Crs, GeoTags } from '../../types.ts'
import { createTiffTextField } from './directory-bytes.ts'
import type { TiffField } from './directory-bytes.ts'

/** Georeferencing of an image. The source's own geo tags win over the code, since a code cannot say everything. */
export interface CogGeoreferencing {
  /** Pixel corner to world; null for an image without a place. */
  readonly affine: Affine | null
  readonly crs: Crs | null
  readonly geoTags: GeoTags | null
}

const raster_type = 1025
const pixel_is_point = 2
const projectedKeys = { model: 1, code: 3072, unit: 3076, unitSize: 3077 }
const geographicKeys = { model: 2, code: 2048, unit: 2054 }
const degree_code = 9102
const user_defined_code = 32_767
const max_code = 32_766
/** EPSG codes of the units that proj4 knows by name. */
const namedUnits: Readonly<Record<string, number>> = {
  m: 9001,
  ft: 9002,
  'us-ft': 9003,
  km: 9036,
  'ind-yd': 9084,
  ch: 9097,
  link: 9098,
}
/** And of those that are defined by their size in metres. */
const sizedUnits: readonly (readonly [metres: number, code: number])[] = [
  [0.3047972654, 9005],
  [0.9143917962, 9037],
  [0.201166195164, 9039],
  [0.914398414616029, 9040],
  [0.304799471538676, 9041],
  [20.1167651215526, 9042],
  [0.914398530744441, 9084],
  [0.304799710181509, 9094],
  [20.116756, 9301],
]

/**
 * The GeoTIFF fields: the source's keys as they stand or keys made from the EPSG code, and the grid as scale and
 * tie point, or as a matrix where it is turned or rows run upwards. A file whose pixels are points ties the centre.
 *
 * @throws RasterFailure `request` for a reference system that has neither keys of its own nor a code.
 */
export function buildGeoFields(placement: CogGeoreferencing): TiffField[] {
  if (placement.affine === null) return []
  const { keyDirectory, doubles, ascii } = placement.geoTags?.keyDirectory
    ? placement.geoTags
    : { ...keysFromCode(placement.crs), ascii: null }
  const fields = gridFields(placement.affine, keyDirectory !== null && isPoint(keyDirectory))
  if (keyDirectory) fields.push({ tag: 34735, type: 'short', values: keyDirectory })
  if (doubles && doubles.length > 0) fields.push({ tag: 34736, type: 'double', values: doubles })
  if (ascii) fields.push(createTiffTextField(34737, ascii))
  return fields
}

function isPoint(keyDirectory: readonly number[]): boolean {
  for (let at = 4; at + 3 < keyDirectory.length; at += 4)
    if (keyDirectory[at] === raster_type) return keyDirectory[at + 3] === pixel_is_point
  return false
}

function gridFields(affine: Affine, point: boolean): TiffField[] {
  const [a, b, c, d, e, f] = affine
  const shift = point ? 0.5 : 0
  const x = a + (b + c) * shift
  const y = d + (e + f) * shift
  if (c === 0 && e === 0 && b > 0 && f < 0)
    return [
      { tag: 33550, type: 'double', values: [b, -f, 0] },
      { tag: 33922, type: 'double', values: [0, 0, 0, x, y, 0] },
    ]
  return [{ tag: 34264, type: 'double', values: [b, c, 0, x, e, f, 0, y, 0, 0, 0, 0, 0, 0, 0, 1] }]
}

function keysFromCode(crs: Crs | null): Pick<GeoTags, 'keyDirectory' | 'doubles'> {
  // A grid whose reference nobody knows is still a grid.
  if (!crs || (crs.epsg === null && crs.proj4 === null)) return { keyDirectory: null, doubles: null }
  if (crs.epsg === null || crs.epsg > max_code)
    throw new RasterFailure('request', `the reference system “${crs.name}” has no EPSG code that a GeoTIFF could name`)
  const { code, metres } = crs.geographic ? { code: degree_code, metres: null } : unitOf(crs.proj4 ?? '')
  const kind = crs.geographic ? geographicKeys : projectedKeys
  const keys = [1024, 0, 1, kind.model, raster_type, 0, 1, 1, kind.code, 0, 1, crs.epsg, kind.unit, 0, 1, code]
  if (metres !== null) keys.push(projectedKeys.unitSize, 34736, 1, 0)
  return { keyDirectory: [1, 1, 0, keys.length / 4, ...keys], doubles: metres === null ? null : [metres] }
}

/** The code of the unit of a projection, and its size where it has none. */
function unitOf(proj4: string): { readonly code: number; readonly metres: number | null } {
  const metres = readProj4Number(proj4, 'to_meter')
  if (metres === null) {
    const word = /\+units=(\S+)/.exec(proj4)?.[1] ?? 'm'
    return { code: namedUnits[Object.hasOwn(namedUnits, word) ? word : 'm']!, metres: null }
  }
  const known = sizedUnits.find(([size]) => Math.abs(size - metres) < 1e-9 * size)
  return known ? { code: known[1], metres: null } : { code: user_defined_code, metres }
}
