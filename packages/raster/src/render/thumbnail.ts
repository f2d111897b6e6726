import { paletteToColormap } from './style/colormap.ts'
import { chooseNaturalStretch } from './style/natural-stretch.ts'
import type { RescaleRange } from './style/stretch.ts'
import { readPreview } from './warp/preview.ts'
import { computeBandStatistics } from '../compute/statistics/statistics.ts'
import type { RasterStyle } from './style/render-style.ts'
import { applyStyle } from './style/apply-style.ts'
import { findEffectiveNodata } from '../compute/window/validity.ts'
import type { PixelBlock, Raster } from '../types.ts'
import { encodeRenderedImage } from './encode/image.ts'
import type { ImageFormat } from './encode/image.ts'

export interface ThumbnailRequest {
  /** Longest side in pixels, default 512; a smaller raster is not enlarged. */
  readonly size?: number
  /** 0-based, one or three; default red, green and blue by colour or name, else the first band. */
  readonly bands?: readonly number[]
  /**
   * One for all bands or one for each; default bytes as they are, else the natural stretch of three bands, and the 2nd to 98th
   * percentile of the valid pixels of one.
   */
  readonly ranges?: readonly RescaleRange[]
  /** Default webp. */
  readonly format?: ImageFormat
  readonly quality?: number
  readonly budget_bytes?: number
}

export interface Thumbnail {
  readonly bytes: Uint8Array
  readonly width: number
  readonly height: number
  readonly format: ImageFormat
}

/** Renders the whole raster as a small image in its own grid; invalid pixels are transparent (white in JPEG). */
export async function renderThumbnail(raster: Raster, request: ThumbnailRequest = {}): Promise<Thumbnail> {
  const scale = Math.min(1, (request.size ?? 512) / Math.max(raster.width, raster.height))
  const width = Math.max(1, Math.round(raster.width * scale))
  const height = Math.max(1, Math.round(raster.height * scale))
  const bands = request.bands ?? chooseColourBands(raster)
  const block = await readPreview(raster, { width, height, bands, budget_bytes: request.budget_bytes })
  const format = request.format ?? 'webp'
  const image = applyStyle(block, chooseLook(raster, block, bands, request.ranges))
  return { bytes: encodeRenderedImage(image, format, request.quality), width, height, format }
}

/** The red, green and blue bands by colour interpretation or name, else the first band. */
export function chooseColourBands(raster: Raster): number[] {
  const find = (colour: string): number => {
    const byColour = raster.bands.findIndex((band) => band.colour === colour)
    return byColour >= 0 ? byColour : raster.bands.findIndex((band) => band.name?.trim().toLowerCase() === colour)
  }
  const colours = ['red', 'green', 'blue'].map(find)
  return colours.every((band) => band >= 0) ? colours : [0]
}

function chooseLook(
  raster: Raster,
  block: PixelBlock,
  bands: readonly number[],
  given?: readonly RescaleRange[],
): RasterStyle {
  if (raster.palette && block.bands === 1) return { kind: 'bands', colormap: paletteToColormap(raster.palette) }
  if (given) return { kind: 'bands', ranges: given }
  // Bytes are shown as they are, and samples of fewer bits as the same shades.
  const { bitsPerSample } = raster.levels[0]!.storage
  if (block.data instanceof Uint8Array) return { kind: 'bands', ranges: [[0, 2 ** Math.min(8, bitsPerSample) - 1]] }
  const ranges = computePercentileRanges(block, findEffectiveNodata(raster))
  if (block.bands !== 3) return { kind: 'bands', ranges }
  const shown = bands.map((band, at) => ({ ...raster.bands[band]!, percentiles: ranges[at]! }))
  return { kind: 'bands', ...chooseNaturalStretch(shown, raster.sampleType) }
}

/** The 2nd to 98th percentile of each band; a constant band gets a range of one so that it can be rescaled. */
export function computePercentileRanges(block: PixelBlock, nodata: number | null): RescaleRange[] {
  return computeBandStatistics(block, nodata).map(({ p2, p98, minimum, maximum }) => {
    const low = p2 ?? 0
    const high = p98 ?? 1
    if (high > low) return [low, high]
    return maximum > minimum ? [minimum, maximum] : [low, low + 1]
  })
}
