import { shareTileRender } from '@swath/contract/operations/share.ts'
import { handler } from '../../engine/handler.ts'
import { collectionTile } from '../rendering/collection-tile.ts'
import { itemTile } from '../rendering/item-tile.ts'
import { requireTile } from '../rendering/tile.ts'
import { openLink } from './open-link.ts'
import { payTile } from './pay-tile.ts'
import { itemsUnder, targetOf } from './shown.ts'

/** The quality of lossy formats. */
const quality = 75

export const renderSharedTile = handler(shareTileRender, async (call, input) => {
  requireTile(input)
  const { z, x, y, format, profile } = input
  const opened = await openLink(call, input, 'tile')
  const target = await targetOf(opened)
  const asked = { z, x, y, format, quality, profile }
  await payTile(opened)
  return target.type === 'item'
    ? itemTile(opened.inside, target.item, { ...asked, scale: 1 })
    : collectionTile(opened.inside, await itemsUnder(opened, { z, x, y }), asked)
})
