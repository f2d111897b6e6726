import { isTile } from '@swath/geo/tile-grid.ts'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { imageMediaType, type ImageFormat, type Raster } from '@swath/raster'
import type { WorkOwner } from '../../engine/fair-queue.ts'
import { validationProblem } from '../../engine/problem.ts'
import type { BandFacts } from '../items/raster-facts.ts'
import { readLimits } from '../items/read-limits.ts'
import { develop } from './darkroom.ts'
import type { Look } from './look.ts'
import { resamplingOf, settleLook } from './paint.ts'
import { withinTime } from './within-time.ts'

export interface TileAddress {
  readonly z: number
  readonly x: number
  readonly y: number
}

/** The options of one tile. */
export interface TileSpec extends TileAddress {
  readonly raster: Raster
  readonly bands: readonly BandFacts[]
  readonly look: Look
  readonly size: 256 | 512
  readonly format: ImageFormat
  /** 1 to 100. */
  readonly quality: number
  /** Pixels outside of the area are transparent. */
  readonly area: AreaGeometry | null
  readonly owner: WorkOwner
  readonly signal: AbortSignal
}

/** Throws `validation` for a tile outside the grid of its zoom level. */
export function requireTile(tile: TileAddress): void {
  if (isTile(tile)) return
  const last = 2 ** tile.z - 1
  throw validationProblem(
    (['x', 'y'] as const)
      .filter((axis) => tile[axis] > last)
      .map((axis) => ({ path: axis, message: `is outside the grid, which ends at ${last} on level ${tile.z}` })),
  )
}

/** The image format of an input. */
export const formatOf = (word: 'png' | 'jpeg' | 'jpg' | 'webp'): ImageFormat => (word === 'jpg' ? 'jpeg' : word)

/**
 * Renders and encodes a tile. Pixels outside the image are transparent, in JPEG white. Throws `budget-exceeded` beyond 64
 * MiB of decoded pixels or five seconds, and what `toProblem` returns for other raster failures.
 */
export async function renderTile(spec: TileSpec): Promise<{ body: Uint8Array; media_type: string }> {
  const { raster, z, x, y, size, format, quality, area } = spec
  const body = await withinTime('tile', readLimits.tile.ms, spec.signal, async (signal) => {
    const look = await settleLook(spec.owner, raster, spec.bands, spec.look, signal)
    const resampling = resamplingOf(raster, spec.bands, spec.look)
    const place = {
      z,
      x,
      y,
      size,
      bands: spec.look.bands,
      resampling,
      budget_bytes: readLimits.tile.decoded_bytes,
    } as const
    return develop(
      spec.owner,
      'tilePicture',
      [raster],
      { ...place, look, format, quality, area: area ?? undefined },
      signal,
    )
  })
  return { body, media_type: imageMediaType(format) }
}
