import { max_web_mercator_latitude } from '@swath/geo/web-mercator.ts'
import { createOnce, readTsvFile } from '../../tsv-file.ts'
import type { Crs } from '../../types.ts'
import { readProj4Number } from './proj4-number.ts'
import { unwrapLongitudeNear } from './longitude-wrap.ts'

/** A box in degrees; west may be less than -180, or east more than 180. */
export interface LonLatRange {
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
}

/** Where a projection that runs to infinity somewhere on the earth is of use. */
export interface ProjectionDomain {
  /** A raster that stays within is projected whole. */
  readonly latitudes: readonly [south: number, north: number]
  /** The part of a raster reaching farther that is projected. */
  readonly part: LonLatRange
  /** What the part is, after "the part of the image". */
  readonly name: string
}

/** Degrees beyond the equator to which a projection of one hemisphere is still used: there lengths are four times too large. */
const max_beyond_equator_degrees = 30

/** Areas of use in the EPSG register, of systems whose projection runs to infinity (`tools/printers/epsg-tables.py`). */
const readAreasOfUse = createOnce(
  (): ReadonlyMap<number, LonLatRange> =>
    new Map(
      readTsvFile<'code' | 'west' | 'south' | 'east' | 'north'>(new URL('./areas-of-use.tsv', import.meta.url)).map(
        ({ code, ...area }) => {
          const [west, south, east, north] = [area.west, area.south, area.east, area.north].map(Number) as [
            number,
            number,
            number,
            number,
          ]
          return [Number(code), { west, south, east: east < west ? east + 360 : east, north }]
        },
      ),
    ),
)

/** Null for a projection that is finite wherever a raster may lie, or ends by itself. */
export function findProjectionDomain(crs: Crs): ProjectionDomain | null {
  const { proj4 } = crs
  if (proj4 === null) return null
  if (proj4.startsWith('+proj=merc ')) return mercatorDomain
  const pole = findPoleOfHemisphere(proj4)
  if (pole === null) return null
  const latitudes =
    pole > 0 ? ([-max_beyond_equator_degrees, 90] as const) : ([-90, max_beyond_equator_degrees] as const)
  const area = crs.epsg === null ? undefined : readAreasOfUse().get(crs.epsg)
  if (area) return { latitudes, part: area, name: `in the area of use of EPSG:${crs.epsg} (${describeRange(area)})` }
  const half = pole > 0 ? { south: 0, north: 90 } : { south: -90, north: 0 }
  return {
    latitudes,
    part: { west: -180, east: 180, ...half },
    name: `in the hemisphere of the projection (${describeRange({ west: -180, east: 180, ...half })})`,
  }
}

function describeRange({ west, south, east, north }: LonLatRange): string {
  const latitudes = `latitudes ${south} to ${north} degrees`
  return east - west >= 360 ? latitudes : `longitudes ${west} to ${east}, ${latitudes}`
}

const mercatorDomain: ProjectionDomain = {
  latitudes: [-max_web_mercator_latitude, max_web_mercator_latitude],
  part: { west: -180, south: -max_web_mercator_latitude, east: 180, north: max_web_mercator_latitude },
  name: 'between the latitudes of ±85.0511 degrees, where the Mercator map ends',
}

/** The pole on which a stereographic plane lies, or at which a cone that keeps angles ends; null for other projections. */
function findPoleOfHemisphere(text: string): 1 | -1 | null {
  if (/^\+proj=(?:stere|ups) /.test(text)) {
    const latitude = text.startsWith('+proj=ups ')
      ? text.includes('+south')
        ? -90
        : 90
      : (readProj4Number(text, 'lat_0') ?? 0)
    return Math.abs(Math.abs(latitude) - 90) < 1e-8 ? (latitude > 0 ? 1 : -1) : null
  }
  if (!text.startsWith('+proj=lcc ')) return null
  const parallels = ['lat_1', 'lat_2'].flatMap((name) => readProj4Number(text, name) ?? [])
  const sum = parallels.length > 0 ? parallels.reduce((a, b) => a + b) : (readProj4Number(text, 'lat_0') ?? 0)
  return sum > 0 ? 1 : sum < 0 ? -1 : null
}

/** A hair of a degree, so that the edge of a box belongs to it. */
const tolerance_degrees = 1e-9

export function isInRange({ west, south, east, north }: LonLatRange, longitude: number, latitude: number): boolean {
  if (!(latitude >= south - tolerance_degrees && latitude <= north + tolerance_degrees)) return false
  if (east - west >= 360) return true
  const turned = unwrapLongitudeNear((west + east) / 2, longitude)
  return turned >= west - tolerance_degrees && turned <= east + tolerance_degrees
}
