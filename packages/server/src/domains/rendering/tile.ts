import { isTile } from '@swath/geo/tile-grid.ts'
import type { Area } from '@swath/contract/shapes/geojson.ts'
import { drawTile, encodeImage, imageMediaType, RasterFailure, type ImageFormat, type Raster } from '@swath/raster'
import { Problem, validationProblem } from '../../engine/problem.ts'
import type { BandFacts } from '../items/raster-facts.ts'
import { maskArea } from './aoi.ts'
import { withProblems } from './failures.ts'
import type { Look } from './look.ts'
import { isClassed, paintBlock, preparePaint, whiten } from './paint.ts'

export interface TileAddress {
  readonly z: number
  readonly x: number
  readonly y: number
}

/** One tile to draw. */
export interface TileSpec extends TileAddress {
  readonly raster: Raster
  readonly bands: readonly BandFacts[]
  readonly look: Look
  readonly size: 256 | 512
  readonly format: ImageFormat
  /** 1 to 100. */
  readonly quality: number
  /** What lies outside is left out. */
  readonly area: Area | null
  readonly signal: AbortSignal
}

const limit_bytes = 64 * 1024 * 1024
const limit_ms = 5000

/** Refuses an address outside the grid of its zoom level. */
export function requireTile(tile: TileAddress): void {
  if (isTile(tile)) return
  const last = 2 ** tile.z - 1
  throw validationProblem(
    (['x', 'y'] as const)
      .filter((axis) => tile[axis] > last)
      .map((axis) => ({ path: axis, message: `lies outside the grid, which ends at ${last} on level ${tile.z}` })),
  )
}

/** The word of the contract as the encoder knows it. */
export const formatOf = (word: 'png' | 'jpeg' | 'jpg' | 'webp'): ImageFormat => (word === 'jpg' ? 'jpeg' : word)

/**
 * Draws and encodes a tile. Outside the image it is transparent, in JPEG white. Throws `budget-exceeded` beyond 64 MiB
 * of decoded pixels or five seconds, and what `problemOf` makes of other raster failures.
 */
export async function renderTile(spec: TileSpec): Promise<{ body: Uint8Array; media_type: string }> {
  const limit = AbortSignal.timeout(limit_ms)
  const signal = AbortSignal.any([spec.signal, limit])
  return withProblems(async () => {
    try {
      return { body: await drawEncoded(spec, signal), media_type: imageMediaType(spec.format) }
    } catch (error) {
      if (!(limit.aborted && error instanceof RasterFailure && error.kind === 'cancelled')) throw error
      throw new Problem('budget-exceeded', `The tile took longer than ${limit_ms / 1000} seconds.`)
    }
  })
}

async function drawEncoded(spec: TileSpec, signal: AbortSignal): Promise<Uint8Array> {
  const { raster, look, z, x, y, size, format } = spec
  const [block, paint] = await Promise.all([
    drawTile(raster, {
      z,
      x,
      y,
      size,
      bands: look.bands,
      resampling: isClassed(raster, look) ? 'nearest' : 'bilinear',
      budget_bytes: limit_bytes,
      signal,
    }),
    preparePaint(raster, spec.bands, look),
  ])
  const painted = paintBlock(block, paint)
  if (spec.area) maskArea(painted.mask, size, spec, spec.area)
  return encodeImage(format === 'jpeg' ? whiten(painted) : painted, null, format, spec.quality)
}
