import { stacItemsUpdateOperation } from '@swath/contract/operations/stac.items.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { resolveLinkBase } from '../../items/stac/link-base.ts'
import { replaceItem } from '../replace-item.ts'
import { requireItemInCollection } from '../item-of-collection.ts'
import { applyMergePatch } from '../merge-patch.ts'

export const handler = defineHandler(stacItemsUpdateOperation, async (call, input) => {
  const base = resolveLinkBase(call, input.base_url)
  const item = await requireItemInCollection(call, input)
  const next = (current: object): Record<string, unknown> => applyMergePatch(current, input.item)
  return replaceItem(call, { item, base, if_match: input.if_match ?? null, next })
})
