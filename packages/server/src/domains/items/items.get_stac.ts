import { itemsGetStac } from '@swath/contract/operations/items.ts'
import { handler } from '../../engine/handler.ts'
import { requireItem } from './access.ts'
import { linkBase } from './link-base.ts'
import { stacItemOf } from './stac-feature.ts'
import { assetsOf } from './store.assets.ts'

export const getStacItem = handler(itemsGetStac, async (call, input) => {
  const base = linkBase(call, input.base_url)
  const item = await requireItem(call, input.item_id, 'read')
  return stacItemOf(item, await assetsOf(call.db, call.organization, item.id), base)
})
