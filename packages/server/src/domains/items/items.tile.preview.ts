import { itemsTilePreview } from '@swath/contract/operations/items.tile.reads.ts'
import { ownerOf } from '../../engine/fair-queue.ts'
import { handler } from '../../engine/handler.ts'
import { withProblems } from '../rendering/failures.ts'
import { imageAnswer } from '../rendering/image-answer.ts'
import { pictureOfItem } from '../rendering/item-picture.ts'
import { drawWhole } from '../rendering/thumbnail.ts'
import { formatOf } from '../rendering/tile.ts'
import { requireItem } from './access.ts'
import { contentOf, rasterOf } from './asset-source.ts'
import { openBudget } from './read-limits.ts'

export const drawItemPreview = handler(itemsTilePreview, async (call, input) => {
  const item = await requireItem(call, input.item_id, 'read')
  const { asset, bands, look, words } = await pictureOfItem(call, item, input)
  const { width, height, quality } = input
  const terms = { width, height, format: formatOf(input.format), quality }
  const draw = async () => {
    const raster = await withProblems(() => rasterOf(call, asset, openBudget('picture')))
    return drawWhole({ ...terms, raster, bands, look, owner: ownerOf(call), signal: call.signal })
  }
  const source = await withProblems(() => contentOf(call, asset))
  return imageAnswer(source, { ...terms, words, bands }, draw, call)
})
