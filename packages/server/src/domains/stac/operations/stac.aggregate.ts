import { stacAggregateOperation } from '@swath/contract/operations/stac.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { countMatchingItems } from '../../items/counts.ts'
import { resolveLinkBase } from '../../items/stac/link-base.ts'
import { toSearchableProjectsSql } from '../../projects/access.ts'
import { toStacAggregations } from '../aggregations.ts'
import { buildParentUrl, createRootLink, stacMediaTypes } from '../links.ts'
import { requireShownCollection } from '../shown-collections.ts'
import { parseStacApiSearch } from '../read-api-search.ts'

export const handler = defineHandler(stacAggregateOperation, async (call, input) => {
  const base = resolveLinkBase(call, input.base_url)
  const { collection_id = null } = input
  const collection = collection_id === null ? null : await requireShownCollection(call, collection_id, 'read')
  const counts = await countMatchingItems(call, {
    ...parseStacApiSearch(collection ? { ...input, collections: [collection.id] } : input),
    projects: toSearchableProjectsSql(call),
  })
  const requestedNames = input.aggregations ? new Set<string>(input.aggregations) : null
  return {
    type: 'AggregationCollection' as const,
    aggregations: toStacAggregations(counts).filter(({ name }) => !requestedNames || requestedNames.has(name)),
    links: [
      { rel: 'self', href: `${buildParentUrl(base, collection?.id ?? null)}/aggregate`, type: stacMediaTypes.json },
      createRootLink(base),
    ],
  }
})
