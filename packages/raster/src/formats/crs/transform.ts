import { degreesToMetres, metresToDegrees } from '@swath/geo/web-mercator.ts'
import { LRUCache } from 'lru-cache'
import proj4 from 'proj4'
import { RasterFailure } from '../../failures.ts'
import type { Crs } from '../../types.ts'
import { ownTransform } from './own-projections.ts'
import { createUtmForward } from './transverse-mercator.ts'

export type Position = [x: number, y: number]

/** Both ways between longitude and latitude (degrees, WGS 84) and the units of a reference system. NaN where undefined. */
export interface CrsTransform {
  forward(longitude: number, latitude: number): Position
  inverse(x: number, y: number): Position
}

const identityTransform: CrsTransform = { forward: (x, y) => [x, y], inverse: (x, y) => [x, y] }
const webMercator: CrsTransform = { forward: degreesToMetres, inverse: metresToDegrees }

const transforms = new LRUCache<string, CrsTransform>({ max: 256 })

/** The transform of a reference system; `no_georeference` where the file has none that can be used. */
export function createCrsTransform(crs: Crs): CrsTransform {
  if (crs.proj4 === null) {
    const why = crs.refusal === undefined ? '' : `: ${crs.refusal}`
    throw new RasterFailure(
      'no_georeference',
      `the reference system of the file (${crs.name}) cannot be put on a map${why}`,
    )
  }
  if (crs.epsg === 4326) return identityTransform
  if (crs.epsg === 3857) return webMercator
  const known = transforms.get(crs.proj4)
  if (known) return known
  const transform = createTransform(crs.proj4)
  transforms.set(crs.proj4, transform)
  return transform
}

function createTransform(text: string): CrsTransform {
  const converter = ownTransform(text) ?? proj4(text)
  const utm = createUtmForward(text)
  const outside: Position = [Number.NaN, Number.NaN]
  return {
    forward(longitude, latitude) {
      if (!Number.isFinite(longitude) || !Number.isFinite(latitude)) return outside
      if (utm) return utm(longitude, latitude)
      return attempt(() => converter.forward([longitude, latitude]) as Position)
    },
    inverse(x, y) {
      if (!Number.isFinite(x) || !Number.isFinite(y)) return outside
      return attempt(() => converter.inverse([x, y]) as Position)
    },
  }
}

// proj4 throws for some positions outside a projection's domain and answers huge or non-finite numbers for others.
function attempt(project: () => Position): Position {
  try {
    const [x, y] = project()
    return Number.isFinite(x) && Number.isFinite(y) && Math.abs(x) < 1e12 && Math.abs(y) < 1e12
      ? [x, y]
      : [Number.NaN, Number.NaN]
  } catch {
    return [Number.NaN, Number.NaN]
  }
}
