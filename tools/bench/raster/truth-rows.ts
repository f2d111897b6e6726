import { rm } from 'node:fs/promises'
import type { Polygon } from '@swath/geo/geojson.ts'
import { fileSource, fromLonLat, openRaster, toLonLat } from '@swath/raster'
import type { Raster } from '@swath/raster'
import { compareTile } from '../../oracle/compare-tile.ts'
import { chooseTiles } from '../../oracle/choose-tiles.ts'
import { startGdal } from '../../oracle/gdal.ts'
import type { Figure } from '../figure.ts'
import type { Cost } from './compare.ts'
import { figureOf } from './limits.ts'
import type { Setting } from './setting.ts'
import { withRaster } from './tile-sets.ts'

/** The same part of the scene, with a nodata edge, in five reference systems. */
const MOVED = ['m_edge.tif', 'm_4326.tif', 'm_3857.tif', 'm_3413.tif', 'm_3035.tif']

/** Compares tiles with those of gdalwarp with its exact transformer; beyond an edge its kernels act as if the image continued. */
export async function measurePixels(setting: Setting): Promise<Figure[]> {
  const gdal = await startGdal()
  let [equal, compared, mostSteps, masks, tiles] = [0, 0, 0, 0, 0]
  try {
    for (const name of MOVED) {
      const file = setting.scene(name)
      const facts = await gdal.describe(file)
      const source = await fileSource(file)
      const raster = await openRaster(source)
      for (const tile of chooseTiles(raster, 'full')) {
        tiles++
        const nearest = await compareTile({ gdal, file, raster, facts }, tile, 'nearest')
        const bilinear = await compareTile({ gdal, file, raster, facts }, tile, 'bilinear')
        compared += nearest.difference.compared
        equal += nearest.difference.compared - nearest.difference.unequal
        masks += nearest.masksApart + bilinear.masksApart
        mostSteps = Math.max(mostSteps, bilinear.difference.largest)
      }
      await source.close()
    }
  } finally {
    await gdal.end()
  }
  console.log(`pixels: ${tiles} tiles of ${MOVED.length} files, ${compared} samples`)
  return [
    figureOf('pixels of gdalwarp -et 0, nearest, equal share', equal / compared),
    figureOf('pixels of gdalwarp -et 0, bilinear, most steps', mostSteps),
    figureOf('pixels of gdalwarp -et 0, masks, pixels apart', masks),
  ]
}

/** Reference systems on WGS 84 or a datum that is treated as equal to it. */
const SYSTEMS = [
  32601, 32632, 32660, 32733, 32661, 32761, 3413, 3031, 3995, 3035, 3857, 3395, 2154, 3347, 3978, 5070, 3577, 9473,
  28355, 7855, 2193, 3006, 25832, 2180, 4547, 6933, 2263,
]

interface System {
  readonly code: number
  readonly file: string
  readonly metres_a_unit: number
  /** Longitude, latitude, x, y, and longitude and latitude as PROJ computes them back from x and y. */
  readonly points: readonly (readonly [number, number, number, number, number, number])[]
}

/** Compares our projections with those of PROJ. */
export async function measureProjection(setting: Setting): Promise<Figure[]> {
  const { systems } = await setting.gdal.ask<{ systems: System[] }>({ do: 'places', codes: SYSTEMS })
  let most = 0
  const words: string[] = []
  for (const system of systems) {
    const apart = await withRaster(system.file, (raster) => placesApart(raster, system))
    await rm(system.file)
    words.push(`${system.code} ${apart.forward.toExponential(0)}/${apart.inverse.toExponential(0)}`)
    most = Math.max(most, apart.forward)
  }
  console.log(`projection, metres apart forward and back: ${words.join(', ')}`)
  return [figureOf('places of PROJ, most metres apart', most)]
}

const METRES_A_DEGREE = 111_320

function placesApart({ crs }: Raster, { points, metres_a_unit }: System): { forward: number; inverse: number } {
  let [forward, inverse] = [0, 0]
  for (const [longitude, latitude, x, y, backLongitude, backLatitude] of points) {
    const [ourX, ourY] = fromLonLat(crs, longitude, latitude)
    forward = Math.max(forward, orInfinity(Math.hypot(ourX - x, ourY - y)) * metres_a_unit)
    const [ourLongitude, ourLatitude] = toLonLat(crs, x, y)
    const turn = Math.abs(ourLongitude - backLongitude) % 360
    const east = Math.min(turn, 360 - turn) * Math.cos((latitude * Math.PI) / 180)
    inverse = Math.max(inverse, orInfinity(Math.hypot(east, ourLatitude - backLatitude)) * METRES_A_DEGREE)
  }
  return { forward, inverse }
}

const orInfinity = (value: number): number => (Number.isNaN(value) ? Infinity : value)

/** Points of a star and its outer radius in pixels; with an inner radius of half that it covers 4.7 million pixels. */
const STAR = { points: 7, radius: 1759, x: 4200, y: 4600 }

interface ZoneBand {
  readonly count: number
  readonly mean: number
}

/** Statistics inside a star of several million pixels, four bands, full resolution. */
export async function measureZonal(setting: Setting): Promise<Figure[]> {
  const file = setting.scene('s2.tif')
  const polygon = await withRaster(file, starOver)
  await setting.ours.ask({ do: 'cache', bytes: 0 })
  const sides = [
    { name: 'ours', side: setting.ours, cpu_ms: Infinity, wall_ms: Infinity, bands: [] as ZoneBand[] },
    { name: 'rio-tiler', side: setting.rioTiler, cpu_ms: Infinity, wall_ms: Infinity, bands: [] as ZoneBand[] },
  ]
  // The first round warms up.
  for (let round = 0; round <= setting.rounds; round++)
    for (const side of sides) {
      const cost = await side.side.ask<Cost & { bands: ZoneBand[] }>({ do: 'zonal', file, polygon })
      if (round === 0) continue
      side.cpu_ms = Math.min(side.cpu_ms, cost.cpu_ms)
      side.wall_ms = Math.min(side.wall_ms, cost.wall_ms)
      side.bands = cost.bands
    }
  for (const { name, cpu_ms, wall_ms, bands } of sides)
    console.log(
      `zonal, ${name}: ${cpu_ms.toFixed(0)} ms (wall ${wall_ms.toFixed(0)}), ${bands[0]!.count} pixels, means ${bands.map(({ mean }) => mean.toFixed(3)).join(' ')}`,
    )
  return [figureOf('zonal statistics', sides[1]!.cpu_ms / sides[0]!.cpu_ms)]
}

function starOver({ affine, crs }: Raster): Polygon {
  const [a, b, , d, , f] = affine
  const corners = Array.from({ length: STAR.points * 2 }, (_, index): [number, number] => {
    const radius = STAR.radius * (index % 2 === 0 ? 1 : 0.5)
    const angle = (-index * Math.PI) / STAR.points
    const [x, y] = [STAR.x + radius * Math.cos(angle), STAR.y + radius * Math.sin(angle)]
    const [longitude, latitude] = toLonLat(crs, a + b * x, d + f * y)
    return [longitude, latitude]
  })
  return { type: 'Polygon', coordinates: [[...corners, corners[0]!]] }
}
