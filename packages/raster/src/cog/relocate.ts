import { coordinateExtent } from '@swath/geo/coordinate-extent.ts'
import { listPolygonRings, type AreaGeometry } from '@swath/geo/geojson.ts'
import { createCrsFromEpsg } from '../formats/crs/from-code.ts'
import { createCrsTransform } from '../formats/crs/transform.ts'
import type { TargetGrid } from '../render/warp/warp-grid.ts'
import { RasterFailure } from '../failures.ts'
import type { Crs, Raster, Resampling } from '../types.ts'
import type { CogOptions, CogResult } from './writer/cog-types.ts'
import { writeCog } from './writer/cog.ts'
import { createClipInputOnGrid } from './sources/clip.ts'
import { createReprojectInput } from './sources/reproject.ts'

export interface RelocateOptions extends CogOptions {
  /** The area that the image is moved to, in degrees. */
  readonly area: AreaGeometry
  /** The projected reference system in metres that it is written in. */
  readonly epsg: number
  /** Of the written image, in metres. */
  readonly pixel_size: number
  /** The size of a pixel of the raster on the ground; it is shown larger only where the area is larger than the raster. */
  readonly source_pixel_size: number
  /** 0-based, in the order of the output. */
  readonly bands: readonly number[]
  /** Of the bands of the output; default those of the raster. */
  readonly names?: readonly string[]
  /** Default bilinear. */
  readonly resampling?: Resampling
  readonly metadata?: Readonly<Record<string, string>>
}

/** More pixels than a simulation needs; a larger image would be a mistake of the caller. */
const max_pixels = 64 * 1024 * 1024
const max_side = 16_384
const edge_parts = 16

/**
 * Writes a part of a raster as if it had been taken at another place: its centre is put on the centre of the area, its
 * pixels keep their size on the ground (or are enlarged to cover the area), and pixels outside of the area are cut off.
 * Read and written by rows, with a bounded part of the raster in memory.
 *
 * @throws RasterFailure `request` for an unknown reference system, an area that cannot be projected, or too many pixels.
 */
export async function relocateRasterToCog(raster: Raster, path: string, options: RelocateOptions): Promise<CogResult> {
  const crs = await createCrsFromEpsg(options.epsg)
  const grid = gridAround(options.area, crs, options.pixel_size)
  const moved = moveTo(raster, grid, options)
  const { bands, names, resampling = 'bilinear', signal } = options
  const input = createReprojectInput(moved, grid, { bands, resampling, ...(signal ? { signal } : {}) })
  const clipped = createClipInputOnGrid(input, asRaster(moved, grid), options.area)
  // The colours of the source are those of its order of bands.
  const colour = bands.length === 1 ? 'gray' : 'undefined'
  const named = clipped.bands.map((band, at) => ({ ...band, colour, name: names?.[at] ?? band.name }))
  // The tags of the source describe where it was taken.
  const georeferencing = { ...clipped.georeferencing, geoTags: null }
  return writeCog({ ...clipped, georeferencing, bands: named, metadata: { ...options.metadata } }, path, options)
}

/** The pixels on whole multiples of their size that cover the area. */
function gridAround(area: AreaGeometry, crs: Crs, pixel_size: number): TargetGrid {
  const { forward } = createCrsTransform(crs)
  const positions = listPolygonRings(area).flatMap(([outer = []]) =>
    outer.slice(1).flatMap((to, at) => {
      const from = outer[at]!
      return Array.from({ length: edge_parts }, (_, part) =>
        forward(from[0] + ((to[0] - from[0]) * part) / edge_parts, from[1] + ((to[1] - from[1]) * part) / edge_parts),
      )
    }),
  )
  const [west, south, east, north] = coordinateExtent(positions)
  if (![west, south, east, north].every(Number.isFinite) || !(pixel_size > 0))
    throw new RasterFailure(
      'request',
      'the area has no place in the reference system of the image; choose one that reaches the image',
    )
  const left = Math.floor(west / pixel_size) * pixel_size
  const top = Math.ceil(north / pixel_size) * pixel_size
  const width = Math.max(1, Math.ceil((east - left) / pixel_size))
  const height = Math.max(1, Math.ceil((top - south) / pixel_size))
  if (width * height > max_pixels || Math.max(width, height) > max_side)
    throw new RasterFailure('request', `the image would have ${width} x ${height} pixels`)
  return { crs, affine: [left, pixel_size, 0, top, 0, -pixel_size], width, height }
}

/** The raster with other georeferencing: north up, around the centre of the grid. */
function moveTo(raster: Raster, grid: TargetGrid, { pixel_size, source_pixel_size }: RelocateOptions): Raster {
  const size = Math.max(
    source_pixel_size,
    (grid.width * pixel_size) / raster.width,
    (grid.height * pixel_size) / raster.height,
  )
  const x = grid.affine[0] + (grid.width * pixel_size) / 2
  const y = grid.affine[3] - (grid.height * pixel_size) / 2
  const affine = [x - (size * raster.width) / 2, size, 0, y + (size * raster.height) / 2, 0, -size] as const
  return { ...raster, crs: grid.crs, affine, georeferenced: true }
}

/** The grid as the raster that clipping takes its georeferencing from. */
const asRaster = (raster: Raster, { width, height, affine, crs }: TargetGrid): Raster => ({
  ...raster,
  width,
  height,
  affine,
  crs,
  levels: [{ ...raster.levels[0]!, width, height }],
})
