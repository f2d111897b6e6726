import { stacAggregateOperation } from '@swath/contract/operations/stac.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { countMatchingItems } from '../../items/counts.ts'
import { resolveLinkBase } from '../../items/stac/link-base.ts'
import { toSearchableProjectsSql } from '../../projects/access.ts'
import { toStacAggregations } from '../aggregations.ts'
import { buildStacCatalogUrl, createRootLink, stacMediaTypes } from '../links.ts'
import { parseStacApiSearch } from '../read-api-search.ts'

export const handler = defineHandler(stacAggregateOperation, async (call, input) => {
  const base = resolveLinkBase(call, input.base_url)
  const counts = await countMatchingItems(call, {
    ...parseStacApiSearch(input),
    projects: toSearchableProjectsSql(call),
  })
  const requestedNames = input.aggregations ? new Set<string>(input.aggregations) : null
  return {
    type: 'AggregationCollection' as const,
    aggregations: toStacAggregations(counts).filter(({ name }) => !requestedNames || requestedNames.has(name)),
    links: [
      { rel: 'self', href: `${buildStacCatalogUrl(base)}/aggregate`, type: stacMediaTypes.json },
      createRootLink(base),
    ],
  }
})
