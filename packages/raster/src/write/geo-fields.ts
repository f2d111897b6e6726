import type { Affine } from '@swath/geo/affine.ts'
import type { Crs, GeoTags } from '../types.ts'
import { textField } from './directory-bytes.ts'
import type { Field } from './directory-bytes.ts'

/** Where an image lies. The source's own geo tags win over the code, since a code cannot say everything. */
export interface Placement {
  /** Pixel corner to world; null for an image without a place. */
  readonly affine: Affine | null
  readonly crs: Crs | null
  readonly geoTags: GeoTags | null
}

const RASTER_TYPE = 1025
const PIXEL_IS_POINT = 2
const METRE = 9001
const UNITS: readonly (readonly [text: RegExp, code: number])[] = [
  [/\+units=us-ft\b/, 9003],
  [/\+units=ft\b/, 9002],
]

/**
 * The GeoTIFF fields: the source's keys as they stand or keys made from the EPSG code, and the grid as scale and
 * tie point, or as a matrix where it is turned or rows run upwards. A file whose pixels are points ties the centre.
 */
export function geoFields(placement: Placement): Field[] {
  const { keyDirectory, doubles, ascii } = placement.geoTags?.keyDirectory
    ? placement.geoTags
    : { keyDirectory: keysFromCode(placement.crs), doubles: null, ascii: null }
  if (placement.affine === null) return []
  const fields = gridFields(placement.affine, keyDirectory !== null && isPoint(keyDirectory))
  if (keyDirectory) fields.push({ tag: 34735, type: 'short', values: keyDirectory })
  if (doubles && doubles.length > 0) fields.push({ tag: 34736, type: 'double', values: doubles })
  if (ascii) fields.push(textField(34737, ascii))
  return fields
}

function isPoint(keyDirectory: readonly number[]): boolean {
  for (let at = 4; at + 3 < keyDirectory.length; at += 4)
    if (keyDirectory[at] === RASTER_TYPE) return keyDirectory[at + 3] === PIXEL_IS_POINT
  return false
}

function gridFields(affine: Affine, point: boolean): Field[] {
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

function keysFromCode(crs: Crs | null): number[] | null {
  if (!crs || crs.epsg === null || crs.epsg > 65_535) return null
  const keys = crs.geographic
    ? [1024, 0, 1, 2, RASTER_TYPE, 0, 1, 1, 2048, 0, 1, crs.epsg, 2054, 0, 1, 9102]
    : [1024, 0, 1, 1, RASTER_TYPE, 0, 1, 1, 3072, 0, 1, crs.epsg, 3076, 0, 1, unitCode(crs.proj4 ?? '')]
  return [1, 1, 0, keys.length / 4, ...keys]
}

function unitCode(proj4: string): number {
  return UNITS.find(([text]) => text.test(proj4))?.[1] ?? METRE
}
