import { stacItemsGet } from '@swath/contract/operations/stac.ts'
import type { StacItem } from '@swath/contract/shapes/stac.ts'
import { textsOf } from '../../engine/answer.ts'
import { handler } from '../../engine/handler.ts'
import { Problem } from '../../engine/problem.ts'
import { requireCollection } from '../collections/access.ts'
import { findFeatures } from '../items/found-features.ts'
import { linkBase } from '../items/link-base.ts'
import { everything } from '../items/search.ts'
import { searchedProjects } from '../projects/access.ts'

export const getItemOfCollection = handler(stacItemsGet, async (call, input) => {
  const base = linkBase(call, input.base_url)
  const { stac_id } = input
  const { id } = await requireCollection(call, input.collection_id, 'read')
  const named = { ids: [stac_id], collections: [id], projects: searchedProjects(call) }
  const found = await findFeatures(call, { ...everything, ...named, limit: 1, offset: 0, after: null }, base)
  if (found.returned === 0) throw new Problem('not-found', `No item of the collection has the STAC id "${stac_id}".`)
  const [text = 'null'] = textsOf(found.features)
  return JSON.parse(text) as StacItem
})
