import {
  createCrsFromEpsg,
  createCrsFromWkt,
  createCrsTransform,
  RasterFailure,
  withAreaShift,
  type Crs,
  type CrsTransform,
} from '@swath/raster'
import { VectorFailure } from '../vector-failure.ts'
import type { SourceCrsName } from './raw-feature.ts'

/** Converts positions of a file to longitude and latitude; null if they already are. */
export interface SourceCrs {
  readonly name: string
  readonly toDegrees: ((x: number, y: number) => readonly [number, number]) | null
}

/**
 * Codes of longitude and latitude in WGS 84, which GeoJSON always writes in this order, whatever the EPSG registry says.
 */
const geographicCodes: ReadonlySet<string> = new Set(['CRS84', 'CRS84H', '4326', '4979'])

/**
 * `EPSG:3857`, `urn:ogc:def:crs:EPSG:9.9:3857`, `http://www.opengis.net/def/crs/EPSG/0/3857`,
 * `urn:ogc:def:crs:OGC:1.3:CRS84`.
 */
const crsIdentifierPattern =
  /^(?:urn:(?:ogc|x-ogc):def:crs:)?(?:https?:\/\/www\.opengis\.net\/def\/crs\/)?(EPSG|OGC)[:/](?:[\d.]*[:/])?(\w+)$/i

/**
 * Resolves the coordinate reference system of a file. Throws `no_place` with its name if it is unknown: a guess would place
 * the features wrongly without notice.
 */
export async function resolveVectorCrs(crsName: SourceCrsName | null): Promise<SourceCrs> {
  if (crsName === null) return { name: 'WGS 84', toDegrees: null }
  if ('wkt' in crsName) return toSourceCrs(await createCrsFromWkt(crsName.wkt), wktName(crsName.wkt))
  const [, , code = ''] = crsIdentifierPattern.exec(crsName.name.trim()) ?? []
  if (geographicCodes.has(code.toUpperCase())) return { name: crsName.name, toDegrees: null }
  return toSourceCrs(/^\d+$/.test(code) ? await findCrsByCode(Number(code)) : null, crsName.name)
}

function toSourceCrs(crs: Crs | null, name: string): SourceCrs {
  if (!crs || crs.proj4 === null) {
    const why = crs?.refusal === undefined ? 'is not known' : `is not read: ${crs.refusal}`
    throw new VectorFailure(
      'no_place',
      `The coordinate reference system "${name.slice(0, 200)}" ${why}. Reproject the data to WGS 84 (EPSG:4326).`,
    )
  }
  let transform: CrsTransform | null = null
  return {
    name: crs.name,
    // The first position says in which part of the world the data lie.
    toDegrees: (x, y) => (transform ??= createCrsTransform(withAreaShift(crs, [x, y]))).inverse(x, y),
  }
}

async function findCrsByCode(code: number): Promise<Crs | null> {
  try {
    return await createCrsFromEpsg(code)
  } catch (error) {
    if (error instanceof RasterFailure) return null
    throw error
  }
}

const wktName = (wkt: string): string => /"([^"]*)"/.exec(wkt)?.[1] ?? wkt.slice(0, 80)
