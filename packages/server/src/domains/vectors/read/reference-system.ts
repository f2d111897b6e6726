import { crsFromCode, crsFromWkt, RasterFailure, transformOf, type Crs } from '@swath/raster'
import { VectorFailure } from '../vector-failure.ts'
import type { CrsName } from './raw-feature.ts'

/** Converts positions of a file to longitude and latitude; null if they already are. */
export interface ReferenceSystem {
  readonly name: string
  readonly toDegrees: ((x: number, y: number) => readonly [number, number]) | null
}

/**
 * Codes of longitude and latitude in WGS 84, which GeoJSON always writes in this order, whatever the EPSG registry says.
 */
const degrees: ReadonlySet<string> = new Set(['CRS84', 'CRS84H', '4326', '4979'])

/**
 * `EPSG:3857`, `urn:ogc:def:crs:EPSG:9.9:3857`, `http://www.opengis.net/def/crs/EPSG/0/3857`,
 * `urn:ogc:def:crs:OGC:1.3:CRS84`.
 */
const identifier =
  /^(?:urn:(?:ogc|x-ogc):def:crs:)?(?:https?:\/\/www\.opengis\.net\/def\/crs\/)?(EPSG|OGC)[:/](?:[\d.]*[:/])?(\w+)$/i

/**
 * Resolves the coordinate reference system of a file. Throws `no_place` with its name if it is unknown: a guess would place
 * the features wrongly without notice.
 */
export async function referenceSystem(given: CrsName | null): Promise<ReferenceSystem> {
  if (given === null) return { name: 'WGS 84', toDegrees: null }
  if ('wkt' in given) return ofCrs(await crsFromWkt(given.wkt), wktName(given.wkt))
  const [, , code = ''] = identifier.exec(given.name.trim()) ?? []
  if (degrees.has(code.toUpperCase())) return { name: given.name, toDegrees: null }
  return ofCrs(/^\d+$/.test(code) ? await knownCrs(Number(code)) : null, given.name)
}

function ofCrs(crs: Crs | null, name: string): ReferenceSystem {
  if (!crs) {
    throw new VectorFailure(
      'no_place',
      `The coordinate reference system "${name.slice(0, 200)}" is not known. Reproject the data to WGS 84 (EPSG:4326).`,
    )
  }
  const transform = transformOf(crs)
  return { name: crs.name, toDegrees: (x, y) => transform.inverse(x, y) }
}

async function knownCrs(code: number): Promise<Crs | null> {
  try {
    return await crsFromCode(code)
  } catch (error) {
    if (error instanceof RasterFailure) return null
    throw error
  }
}

const wktName = (wkt: string): string => /"([^"]*)"/.exec(wkt)?.[1] ?? wkt.slice(0, 80)
