import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { clearOutsideInTile } from '../draw/polygon-mask.ts'
import { drawMosaicTile } from '../draw/mosaic-tile.ts'
import type { MosaicTileRequest } from '../draw/mosaic-tile.ts'
import { drawPreview } from '../draw/preview.ts'
import type { PreviewRequest } from '../draw/preview.ts'
import { encodePicture } from '../encode/image.ts'
import type { ImageFormat } from '../encode/image.ts'
import { withKernels } from '../kernels/of-thread.ts'
import type { PixelBlock, Raster } from '../types.ts'
import type { Look } from './look.ts'
import { paintPicture } from './paint.ts'

/** Style and encoding of a rendered image. */
export interface PictureTerms {
  readonly look: Look
  readonly format: ImageFormat
  /** 1 to 100 for JPEG and WebP; default 75. */
  readonly quality?: number
}

export interface TilePictureRequest extends MosaicTileRequest, PictureTerms {
  /** In longitude and latitude; pixels outside are masked. */
  readonly area?: AreaGeometry
}

export type PreviewPictureRequest = PreviewRequest & PictureTerms

/** Renders a tile of one or several rasters as an encoded image. Fails as readMosaicTile, applyStyle and encodeRenderedImage do. */
export async function renderTile(rasters: readonly Raster[], request: TilePictureRequest): Promise<Uint8Array> {
  const block = await drawMosaicTile(rasters, request)
  if (request.area) clearOutsideInTile(block.mask, request.size, request, request.area)
  return packPicture(block, request)
}

/** Renders the whole raster as a small encoded image. Fails as readPreview, applyStyle and encodeRenderedImage do. */
export async function renderPreview(raster: Raster, request: PreviewPictureRequest): Promise<Uint8Array> {
  return packPicture(await drawPreview(raster, request), request)
}

/** Paints and encodes pixels, at once. */
export function packPicture(block: PixelBlock, { look, format, quality }: PictureTerms): Uint8Array {
  const picture = paintPicture(block, look)
  return withKernels((kernels) => encodePicture(picture, format, { quality, kernels }))
}
