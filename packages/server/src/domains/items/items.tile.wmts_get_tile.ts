import { itemsTileWmtsGetTile } from '@swath/contract/operations/items.tile.ts'
import { encodePng } from '@swath/raster'
import { bytes, type BytesAnswer } from '../../engine/answer.ts'
import type { Call } from '../../engine/call.ts'
import { handler } from '../../engine/handler.ts'
import { Problem } from '../../engine/problem.ts'
import { DatabaseFailure } from '../../platform/database/failures.ts'
import { itemTile } from '../rendering/item-tile.ts'
import { requireTile } from '../rendering/tile.ts'
import { requireDrawable } from './access.ts'

const quality = 82
const tile_pixels = 256

export const renderWmtsTile = handler(itemsTileWmtsGetTile, async (call, input) => {
  requireTile(input)
  const item = await requireDrawable(call, input.item_id)
  try {
    return await itemTile(call, item, { ...input, quality, scale: 1 })
  } catch (error) {
    if (call.signal.aborted || isOfTheQuestion(error)) throw error
    return nothingDrawn(call, error)
  }
})

const of_the_question: ReadonlySet<string> = new Set(['not-found', 'rate-limited', 'unavailable'])

/** Errors that are not rendering errors: not found, temporarily unavailable or rate-limited. */
const isOfTheQuestion = (error: unknown): boolean =>
  (error instanceof Problem && of_the_question.has(error.problem)) || error instanceof DatabaseFailure

let transparent: Uint8Array | null = null

/** A transparent tile: WMTS clients handle it better than an error. The error is logged; the tile is not cacheable. */
function nothingDrawn(call: Call, error: unknown): BytesAnswer {
  call.log.set({ render_error: error instanceof Error ? error.message : String(error) })
  transparent ??= encodePng({
    width: tile_pixels,
    height: tile_pixels,
    kind: 'rgba',
    data: new Uint8Array(4 * tile_pixels * tile_pixels),
  })
  return bytes(transparent, 'image/png', { 'cache-control': 'no-store' })
}
