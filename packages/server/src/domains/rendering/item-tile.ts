import type { BytesAnswer } from '../../engine/answer.ts'
import { ownerOf } from '../../engine/fair-queue.ts'
import type { Call } from '../../engine/call.ts'
import { contentOf, rasterOf } from '../items/asset-source.ts'
import { openBudget } from '../items/read-limits.ts'
import { withProblems } from './failures.ts'
import { imageAnswer } from './image-answer.ts'
import { pictureOfItem, type AnyItem, type AskedPicture } from './item-picture.ts'
import { formatOf, renderTile, requireTile, type TileAddress } from './tile.ts'

/** A request for one tile of an item. */
export interface AskedItemTile extends AskedPicture, TileAddress {
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
export async function itemTile(call: Call, item: AnyItem, asked: AskedItemTile): Promise<BytesAnswer> {
  requireTile(asked)
  const { z, x, y, quality, scale } = asked
  const { asset, bands, look, words } = await pictureOfItem(call, item, asked)
  const terms = { z, x, y, size: scale === 2 ? 512 : 256, format: formatOf(asked.format), quality } as const
  const source = await withProblems(() => contentOf(call, asset))
  const draw = async () => {
    const raster = await withProblems(() => rasterOf(call, asset, openBudget('tile')))
    return renderTile({ ...terms, raster, bands, look, area: null, owner: ownerOf(call), signal: call.signal })
  }
  return imageAnswer(source, { ...terms, words, bands }, draw, call)
}
