import type { BytesResponse } from '../../engine/operation-response.ts'
import type { Call } from '../../engine/call.ts'
import { computeAssetContentTag, openAssetRaster } from './asset-source.ts'
import { createRasterReadBudget } from '../items/search/read-limits.ts'
import { convertRasterFailures } from './failures.ts'
import { createImageResponse } from './image-response.ts'
import { resolveItemRendering, type RenderableItem, type ItemRenderRequest } from './item-rendering.ts'
import { toImageFormat, renderRasterTile, requireTileInGrid, type TileCoordinates } from './tile.ts'
import { getCallerRasterJobRunner } from './raster-pool.ts'

/** A request for one tile of an item. */
export interface ItemTileRequest extends ItemRenderRequest, TileCoordinates {
  readonly format: 'png' | 'jpeg' | 'jpg' | 'webp'
  /** 1 to 100. */
  readonly quality: number
  /** 2 for twice the resolution. */
  readonly scale: number
}

/**
 * Renders a tile of an item that the caller may read, as `resolveItemRendering` determines. Its ETag depends on the file
 * and on the parameters of the profile, so that a changed profile changes the tiles.
 */
export async function createItemTileResponse(
  call: Call,
  item: RenderableItem,
  request: ItemTileRequest,
): Promise<BytesResponse> {
  requireTileInGrid(request)
  const { z, x, y, quality, scale } = request
  const { asset, bands, style, parameters } = await resolveItemRendering(call, item, request)
  const tileOptions = {
    z,
    x,
    y,
    size: scale === 2 ? 512 : 256,
    format: toImageFormat(request.format),
    quality,
  } as const
  const sourceHash = await convertRasterFailures(() => computeAssetContentTag(call, asset))
  const render = async () => {
    const raster = await convertRasterFailures(() => openAssetRaster(call, asset, createRasterReadBudget('tile')))
    return renderRasterTile({
      ...tileOptions,
      raster,
      bands,
      style,
      area: null,
      jobs: getCallerRasterJobRunner(call),
      signal: call.signal,
    })
  }
  return createImageResponse(call, sourceHash, { ...tileOptions, words: parameters, bands }, render)
}
