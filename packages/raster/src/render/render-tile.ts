import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { maskTileOutsideArea } from './warp/polygon-mask.ts'
import { readMosaicTile } from './warp/mosaic-tile.ts'
import type { MosaicTileRequest } from './warp/mosaic-tile.ts'
import { readPreview } from './warp/preview.ts'
import type { PreviewRequest } from './warp/preview.ts'
import { encodeRenderedImage } from './encode/image.ts'
import type { ImageFormat } from './encode/image.ts'
import type { PixelBlock, Raster } from '../types.ts'
import type { RasterStyle } from './style/render-style.ts'
import { applyStyle } from './style/apply-style.ts'

/** Style and encoding of a rendered image. */
export interface RenderOptions {
  readonly style: RasterStyle
  readonly format: ImageFormat
  /** 1 to 100 for JPEG and WebP; default 75. */
  readonly quality?: number
}

export interface RenderTileRequest extends MosaicTileRequest, RenderOptions {
  /** In longitude and latitude; pixels outside are masked. */
  readonly area?: AreaGeometry
}

export type RenderPreviewRequest = PreviewRequest & RenderOptions

/** Renders a tile of one or several rasters as an encoded image. Fails as readMosaicTile, applyStyle and encodeRenderedImage do. */
export async function renderTile(rasters: readonly Raster[], request: RenderTileRequest): Promise<Uint8Array> {
  const block = await readMosaicTile(rasters, request)
  if (request.area) maskTileOutsideArea(block.mask, request.size, request, request.area)
  return encodeStyled(block, request)
}

/** Renders the whole raster as a small encoded image. Fails as readPreview, applyStyle and encodeRenderedImage do. */
export async function renderPreview(raster: Raster, request: RenderPreviewRequest): Promise<Uint8Array> {
  return encodeStyled(await readPreview(raster, request), request)
}

/** Applies the style to pixels and encodes them in one step. */
export function encodeStyled(
  block: PixelBlock,
  { style, format, quality, signal }: RenderOptions & { readonly signal?: AbortSignal | undefined },
): Uint8Array {
  return encodeRenderedImage(applyStyle(block, style, signal), format, quality)
}
