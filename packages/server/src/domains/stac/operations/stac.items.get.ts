import { stacItemsGetOperation } from '@swath/contract/operations/stac.items.ts'
import type { StacItem } from '@swath/contract/schemas/stac.ts'
import { splitSerializedEntries } from '../../../engine/operation-response.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import { searchFeaturePage } from '../../items/search/search-features.ts'
import { resolveLinkBase } from '../../items/stac/link-base.ts'
import { unfilteredSearch } from '../../items/search/search.ts'
import { toSearchableProjectsSql } from '../../projects/access.ts'
import { createAssetSigner } from '../signed-assets.ts'
import { requireShownCollection } from '../shown-collections.ts'

export const handler = defineHandler(stacItemsGetOperation, async (call, input) => {
  const base = resolveLinkBase(call, input.base_url)
  const { stac_id } = input
  const { scope } = await requireShownCollection(call, input.collection_id, 'read')
  const idFilter = { ids: [stac_id], collections: scope, projects: toSearchableProjectsSql(call) }
  const page = await searchFeaturePage(
    call,
    { ...unfilteredSearch, ...idFilter, limit: 1, offset: 0, after: null },
    base,
  )
  if (page.returned === 0) throw new Problem('not-found', `No item of the collection has the STAC id "${stac_id}".`)
  const [text = 'null'] = splitSerializedEntries(page.features)
  const feature = JSON.parse(text) as StacItem
  return createAssetSigner(call, base)?.(feature) ?? feature
})
