import { stacItemsUpdateOperation } from '@swath/contract/operations/stac.items.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { resolveLinkBase } from '../../items/stac/link-base.ts'
import { replaceItem } from '../replace-item.ts'
import { requireItemInCollection } from '../item-of-collection.ts'
import { applyMergePatch } from '../../items/stac/merge-patch.ts'
import { withoutDerivedCodes } from '../../items/stac/projection-code.ts'

export const handler = defineHandler(stacItemsUpdateOperation, async (call, input) => {
  const base = resolveLinkBase(call, input.base_url)
  const item = await requireItemInCollection(call, input)
  return replaceItem(call, {
    item,
    base,
    if_match: input.if_match ?? null,
    next: (current) => applyMergePatch(withoutDerivedCodes(current), input.item),
  })
})
