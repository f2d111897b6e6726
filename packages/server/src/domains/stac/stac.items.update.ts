import { stacItemsUpdate } from '@swath/contract/operations/stac.items.ts'
import { handler } from '../../engine/handler.ts'
import { linkBase } from '../items/link-base.ts'
import { replaceItem } from './replace-item.ts'
import { requireItemOf } from './item-of-collection.ts'
import { mergePatch } from './merge-patch.ts'

export const changeStacItem = handler(stacItemsUpdate, async (call, input) => {
  const base = linkBase(call, input.base_url)
  const item = await requireItemOf(call, input)
  const next = (current: object): Record<string, unknown> => mergePatch(current, input.item)
  return replaceItem(call, { item, base, if_match: input.if_match ?? null, next })
})
