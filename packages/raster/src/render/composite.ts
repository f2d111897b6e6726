import { default_tile_budget_bytes, readTile, planTileRead } from './warp/tile.ts'
import { encodeRenderedImage, type ImageFormat } from './encode/image.ts'
import { widenToRgba } from './encode/rendered-image.ts'
import { computeWindowCost } from '../compute/window/window.ts'
import type { Raster, Resampling, TileRequest } from '../types.ts'
import type { RasterStyle } from './style/render-style.ts'
import { applyStyle } from './style/apply-style.ts'

/** Bands and style of one raster of a composite. */
export interface CompositeLayer {
  readonly bands: readonly number[]
  readonly resampling: Resampling
  readonly style: RasterStyle
}

export interface CompositeRequest extends Omit<TileRequest, 'bands' | 'resampling'> {
  /** One for each raster. */
  readonly layers: readonly CompositeLayer[]
  readonly format: ImageFormat
  /** 1 to 100 for JPEG and WebP; default 75. */
  readonly quality?: number
}

/**
 * Rasters of any kind over each other in one tile, each with its own style, the first one on top: they are read in
 * their order and only while something shows through; all together stay within the budget. Without rasters the tile is
 * transparent. Fails as readTile, applyStyle and encodeRenderedImage do.
 */
export async function renderComposite(rasters: readonly Raster[], request: CompositeRequest): Promise<Uint8Array> {
  const { layers, format, quality, ...tile } = request
  const { size } = tile
  const composite = new Uint32Array(size * size)
  let holes = composite.length
  let budget_bytes = tile.budget_bytes ?? default_tile_budget_bytes
  for (const [at, raster] of rasters.entries()) {
    if (holes === 0) break
    const { style, bands, resampling } = layers[at]!
    const asked = { ...tile, bands, resampling, budget_bytes }
    const plan = planTileRead(raster, asked)
    if (!plan) continue
    holes = layUnder(composite, widenToRgba(applyStyle(await readTile(raster, asked), style, tile.signal)))
    budget_bytes -= computeWindowCost(raster, plan.level, plan.window, bands.length).decodedBytes
  }
  const data = new Uint8Array(composite.buffer)
  return encodeRenderedImage({ width: size, height: size, kind: 'rgba', data }, format, quality)
}

/** Fills the pixels that are still empty; returns how many stay empty. */
function layUnder(composite: Uint32Array, rgba: Uint8Array): number {
  const words = new Uint32Array(rgba.buffer, rgba.byteOffset, composite.length)
  let holes = 0
  for (let i = 0; i < composite.length; i++) {
    if (composite[i] === 0) composite[i] = words[i]!
    if (composite[i] === 0) holes++
  }
  return holes
}
