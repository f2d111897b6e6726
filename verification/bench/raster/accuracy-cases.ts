import { rm } from 'node:fs/promises'
import type { Polygon } from '@swath/geo/geojson.ts'
import { lonLatToCrs, crsToLonLat, type Raster } from '@swath/raster'
import { compareTile } from '../../oracle/compare-tile.ts'
import { chooseTiles } from '../../oracle/choose-tiles.ts'
import { startGdal } from '../../oracle/gdal.ts'
import type { Figure } from '../runner.ts'
import type { TileCost } from './compare.ts'
import { createFigure } from './figure-bounds.ts'
import type { RasterBenchContext } from './context.ts'
import { withOpenRaster } from './tile-sets.ts'
import { openRasterFor } from '../../prove/harness/resources.ts'

/** The same part of the scene, with a nodata edge, in five reference systems. */
const reprojectedFiles = ['m_edge.tif', 'm_4326.tif', 'm_3857.tif', 'm_3413.tif', 'm_3035.tif']

/** Compares tiles with those of gdalwarp with its exact transformer; beyond an edge its kernels act as if the image continued. */
export async function measurePixels(context: RasterBenchContext): Promise<Figure[]> {
  await using gdal = await startGdal()
  let [equal, compared, max_difference, masks, tiles] = [0, 0, 0, 0, 0]
  for (const name of reprojectedFiles) {
    const file = context.scene(name)
    const metadata = await gdal.describe(file)
    await using raster = await openRasterFor(file)
    for (const tile of chooseTiles(raster, 'full')) {
      tiles++
      const nearest = await compareTile({ gdal, file, raster, metadata }, tile, 'nearest')
      const bilinear = await compareTile({ gdal, file, raster, metadata }, tile, 'bilinear')
      compared += nearest.difference.compared
      equal += nearest.difference.compared - nearest.difference.unequal
      masks += nearest.differingMaskPixels + bilinear.differingMaskPixels
      max_difference = Math.max(max_difference, bilinear.difference.largest)
    }
  }

  console.log(`pixels: ${tiles} tiles of ${reprojectedFiles.length} files, ${compared} samples`)
  return [
    createFigure('pixels of gdalwarp -et 0, nearest, equal share', equal / compared),
    createFigure('pixels of gdalwarp -et 0, bilinear, most steps', max_difference),
    createFigure('pixels of gdalwarp -et 0, masks, pixels apart', masks),
  ]
}

/** Reference systems on WGS 84 or a datum that is treated as equal to it. */
const targetSystems = [
  32601, 32632, 32660, 32733, 32661, 32761, 3413, 3031, 3995, 3035, 3857, 3395, 2154, 3347, 3978, 5070, 3577, 9473,
  28355, 7855, 2193, 3006, 25832, 2180, 4547, 6933, 2263,
]

interface CrsSample {
  readonly code: number
  readonly file: string
  readonly metres_per_unit: number
  /** Longitude, latitude, x, y, and longitude and latitude as PROJ computes them back from x and y. */
  readonly points: readonly (readonly [number, number, number, number, number, number])[]
}

/** Compares our projections with those of PROJ. */
export async function measureProjection(context: RasterBenchContext): Promise<Figure[]> {
  const { systems } = await context.gdal.request<{ systems: CrsSample[] }>({ do: 'places', codes: targetSystems })
  let max_metres = 0
  const messages: string[] = []
  for (const system of systems) {
    const errors = await withOpenRaster(system.file, (raster) => measureErrors(raster, system))
    await rm(system.file)
    messages.push(`${system.code} ${errors.forward.toExponential(0)}/${errors.inverse.toExponential(0)}`)
    max_metres = Math.max(max_metres, errors.forward)
  }
  console.log(`projection, metres apart forward and back: ${messages.join(', ')}`)
  return [createFigure('places of PROJ, most metres apart', max_metres)]
}

const metres_per_degree = 111_320

function measureErrors({ crs }: Raster, { points, metres_per_unit }: CrsSample): { forward: number; inverse: number } {
  let [forward, inverse] = [0, 0]
  for (const [longitude, latitude, x, y, backLongitude, backLatitude] of points) {
    const [ourX, ourY] = lonLatToCrs(crs, longitude, latitude)
    forward = Math.max(forward, orInfinity(Math.hypot(ourX - x, ourY - y)) * metres_per_unit)
    const [ourLongitude, ourLatitude] = crsToLonLat(crs, x, y)
    const longitudeDifference = Math.abs(ourLongitude - backLongitude) % 360
    const east = Math.min(longitudeDifference, 360 - longitudeDifference) * Math.cos((latitude * Math.PI) / 180)
    inverse = Math.max(inverse, orInfinity(Math.hypot(east, ourLatitude - backLatitude)) * metres_per_degree)
  }
  return { forward, inverse }
}

const orInfinity = (value: number): number => (Number.isNaN(value) ? Infinity : value)

/** Points of a star and its outer radius in pixels; with an inner radius of half that it covers 4.7 million pixels. */
const starPolygon = { points: 7, radius: 1759, x: 4200, y: 4600 }

interface ZonalBand {
  readonly count: number
  readonly mean: number
}

/** Statistics inside a star of several million pixels, four bands, full resolution. */
export async function measureZonal(context: RasterBenchContext): Promise<Figure[]> {
  const file = context.scene('s2.tif')
  const polygon = await withOpenRaster(file, createStar)
  await context.ours.request({ do: 'cache', bytes: 0 })
  const contenders = [
    { name: 'ours', side: context.ours, cpu_ms: Infinity, wall_ms: Infinity, bands: [] as ZonalBand[] },
    { name: 'rio-tiler', side: context.rioTiler, cpu_ms: Infinity, wall_ms: Infinity, bands: [] as ZonalBand[] },
  ]
  // The first round warms up.
  for (let round = 0; round <= context.rounds; round++)
    for (const process of contenders) {
      const cost = await process.side.request<TileCost & { bands: ZonalBand[] }>({ do: 'zonal', file, polygon })
      if (round === 0) continue
      process.cpu_ms = Math.min(process.cpu_ms, cost.cpu_ms)
      process.wall_ms = Math.min(process.wall_ms, cost.wall_ms)
      process.bands = cost.bands
    }
  for (const { name, cpu_ms, wall_ms, bands } of contenders)
    console.log(
      `zonal, ${name}: ${cpu_ms.toFixed(0)} ms (wall ${wall_ms.toFixed(0)}), ${bands[0]!.count} pixels, means ${bands.map(({ mean }) => mean.toFixed(3)).join(' ')}`,
    )
  return [createFigure('zonal statistics', contenders[1]!.cpu_ms / contenders[0]!.cpu_ms)]
}

function createStar({ affine, crs }: Raster): Polygon {
  const [a, b, , d, , f] = affine
  const corners = Array.from({ length: starPolygon.points * 2 }, (_, index): [number, number] => {
    const radius = starPolygon.radius * (index % 2 === 0 ? 1 : 0.5)
    const angle = (-index * Math.PI) / starPolygon.points
    const [x, y] = [starPolygon.x + radius * Math.cos(angle), starPolygon.y + radius * Math.sin(angle)]
    const [longitude, latitude] = crsToLonLat(crs, a + b * x, d + f * y)
    return [longitude, latitude]
  })
  return { type: 'Polygon', coordinates: [[...corners, corners[0]!]] }
}
