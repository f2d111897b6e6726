import { itemsTileWmtsGetTileOperation } from '@swath/contract/operations/items.tile.ts'
import { encodePng } from '@swath/raster'
import { createBytesResponse, type BytesResponse } from '../../../engine/operation-response.ts'
import type { Call } from '../../../engine/call.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import { DatabaseFailure } from '../../../platform/database/failures.ts'
import { createItemTileResponse } from '../item-tile.ts'
import { requireTileInGrid } from '../tile.ts'
import { requireRenderableItem } from '../../items/access.ts'

const quality = 82
const tile_pixels = 256

export const handler = defineHandler(itemsTileWmtsGetTileOperation, async (call, input) => {
  requireTileInGrid(input)
  const item = await requireRenderableItem(call, input.item_id)
  try {
    return await createItemTileResponse(call, item, { ...input, quality, scale: 1 })
  } catch (error) {
    if (call.signal.aborted || isRequestError(error)) throw error
    return transparentTile(call, error)
  }
})

const requestProblems: ReadonlySet<string> = new Set(['not-found', 'rate-limited', 'unavailable'])

/** Errors that are not rendering errors: not found, temporarily unavailable or rate-limited. */
const isRequestError = (error: unknown): boolean =>
  (error instanceof Problem && requestProblems.has(error.problem)) || error instanceof DatabaseFailure

/** A transparent tile: WMTS clients handle it better than an error. The error is logged; the tile is not cacheable. */
function transparentTile(call: Call, error: unknown): BytesResponse {
  call.log.set({ render_error: error instanceof Error ? error.message : String(error) })
  const transparent = encodePng({
    width: tile_pixels,
    height: tile_pixels,
    kind: 'rgba',
    data: new Uint8Array(4 * tile_pixels * tile_pixels),
  })
  return createBytesResponse(transparent, 'image/png', { 'cache-control': 'no-store' })
}
