import { isValidTile } from '@swath/geo/tile-grid.ts'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { imageMediaType, type ImageFormat, type Raster } from '@swath/raster'
import { validationProblem } from '../../engine/problem.ts'
import type { RasterBandMetadata } from '../items/assets/raster-metadata.ts'
import { rasterReadLimits } from '../items/search/read-limits.ts'
import type { RenderStyle } from './style/render-style.ts'
import { chooseResampling, resolveStyle } from './style/resolve-style.ts'
import { withTimeout } from './within-time.ts'
import type { OrganizationRasterJobRunner } from './raster-pool.ts'

export interface TileCoordinates {
  readonly z: number
  readonly x: number
  readonly y: number
}

/** The options of one tile. */
export interface TileRenderOptions extends TileCoordinates {
  readonly raster: Raster
  readonly bands: readonly RasterBandMetadata[]
  readonly style: RenderStyle
  readonly size: 256 | 512
  readonly format: ImageFormat
  /** 1 to 100. */
  readonly quality: number
  /** Pixels outside of the area are transparent. */
  readonly area: AreaGeometry | null
  readonly jobs: OrganizationRasterJobRunner
  readonly signal: AbortSignal
}

/** Throws `validation` for a tile outside the grid of its zoom level. */
export function requireTileInGrid(tile: TileCoordinates): void {
  if (isValidTile(tile)) return
  const max_index = 2 ** tile.z - 1
  throw validationProblem(
    (['x', 'y'] as const)
      .filter((axis) => tile[axis] > max_index)
      .map((axis) => ({ path: axis, message: `is outside the grid, which ends at ${max_index} on level ${tile.z}` })),
  )
}

/** The image format of an input. */
export const toImageFormat = (name: 'png' | 'jpeg' | 'jpg' | 'webp'): ImageFormat => (name === 'jpg' ? 'jpeg' : name)

/**
 * Renders and encodes a tile. Pixels outside the image are transparent, in JPEG white. Throws `budget-exceeded` beyond 64
 * MiB of decoded pixels or five seconds, and what `toRasterProblem` returns for other raster failures.
 */
export async function renderRasterTile(options: TileRenderOptions): Promise<{ body: Uint8Array; media_type: string }> {
  const { raster, z, x, y, size, format, quality, area } = options
  const body = await withTimeout(
    options.jobs,
    { workName: 'tile', timeout_ms: rasterReadLimits.tile.ms, signal: options.signal },
    async (signal) => {
      const style = await resolveStyle({
        jobs: options.jobs,
        raster,
        bands: options.bands,
        style: options.style,
        signal,
      })
      const resampling = chooseResampling(raster, options.bands, options.style)
      const tileOptions = {
        z,
        x,
        y,
        size,
        bands: options.style.bands,
        resampling,
        budget_bytes: rasterReadLimits.tile.decoded_bytes,
      } as const
      return options.jobs.run(
        'renderTile',
        [raster],
        {
          ...tileOptions,
          style,
          format,
          quality,
          area: area ?? undefined,
        },
        { signal },
      )
    },
  )
  return { body, media_type: imageMediaType(format) }
}
