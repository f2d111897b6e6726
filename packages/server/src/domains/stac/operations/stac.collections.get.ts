import { stacCollectionsGetOperation } from '@swath/contract/operations/stac.collections.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { resolveLinkBase } from '../../items/stac/link-base.ts'
import { toStacCollection } from '../collection.ts'
import { readShownCollection } from '../shown-collections.ts'

export const handler = defineHandler(stacCollectionsGetOperation, async (call, input) => {
  const base = resolveLinkBase(call, input.base_url)
  return toStacCollection(await readShownCollection(call, input.collection_id), call.organization, base)
})
