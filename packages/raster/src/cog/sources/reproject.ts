import { isSameCrs } from '../../render/warp/warp-grid.ts'
import type { TargetGrid } from '../../render/warp/warp-grid.ts'
import { rejectPaletteInterpolation } from '../../compute/window/resampling.ts'
import { sampleTypeProperties } from '../../sample-types.ts'
import type { Crs, GeoTags, PixelRows, Raster, Resampling, SampleType } from '../../types.ts'
import type { CogInput } from '../writer/cog-types.ts'
import type { CogGeoreferencing } from '../writer/geo-fields.ts'
import { padRows } from './pad-rows.ts'
import { createGridReader } from './grid-reader.ts'
import { findInheritedMetadata } from './inherited-metadata.ts'

export interface ReprojectOptions {
  /** Default nearest. */
  readonly resampling?: Resampling
  /** 0-based; default all. */
  readonly bands?: readonly number[]
  /** Reads an overview where the grid is coarser: faster, but the mean of means. Default: the full resolution. */
  readonly useOverviews?: boolean
  readonly signal?: AbortSignal
}

/**
 * A raster on another grid: another reference system, resolution or extent. Sample type, nodata, mask, alpha, palette,
 * names, scales and offsets are preserved; pixels beyond the raster are nodata, or masked if there is no nodata value.
 * Read by rows of the new grid, with a bounded part of the raster in memory.
 *
 * @throws RasterFailure `request` for palette indices that would be interpolated, and the failures of `prepareWarp`.
 */
export function createReprojectInput(raster: Raster, grid: TargetGrid, options: ReprojectOptions = {}): CogInput {
  const bands = options.bands ?? raster.bands.map((_, index) => index)
  const resampling = options.resampling ?? 'nearest'
  rejectPaletteInterpolation(raster, resampling)
  const read = createGridReader(raster, grid, bands, resampling, options.signal, options.useOverviews ? 'auto' : 'none')
  return {
    ...findInheritedMetadata(raster, bands),
    width: grid.width,
    height: grid.height,
    georeferencing: chooseCogGeoreferencing(grid, raster.crs, raster.geoTags),
    readRows: async (top, rows) => {
      const { sampleType: type, nodata } = raster
      const shape = { width: grid.width, top, rows, bands: bands.length, type, nodata }
      const filled = padRows(await read(top, rows), shape)
      if (resampling !== 'nearest' && nodata !== null) keepOffNodata(filled, nodata, type)
      return filled
    },
  }
}

/** The geo tags of a file say most about its reference system, as long as that stays. */
export function chooseCogGeoreferencing(grid: TargetGrid, crs: Crs, geoTags: GeoTags): CogGeoreferencing {
  return { affine: grid.affine, crs: grid.crs, geoTags: isSameCrs(crs, grid.crs) ? geoTags : null }
}

/**
 * An interpolated sample must not read as missing only because it happens to equal nodata: it moves one step, as in
 * gdalwarp.
 */
function keepOffNodata({ data, bands, mask }: PixelRows, nodata: number, type: SampleType): void {
  const { format, lowest } = sampleTypeProperties[type]
  if (format === 3) return
  const other = nodata === lowest ? nodata + 1 : nodata - 1
  for (let at = data.indexOf(nodata as never); at >= 0; at = data.indexOf(nodata as never, at + 1))
    if (mask === null || mask[Math.floor(at / bands)] !== 0) data[at] = other
}
