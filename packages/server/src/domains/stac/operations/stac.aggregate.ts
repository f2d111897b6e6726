import { stacAggregateOperation } from '@swath/contract/operations/stac.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { countMatchingItems } from '../../items/counts.ts'
import { resolveLinkBase } from '../../items/stac/link-base.ts'
import { searchableProjects } from '../../projects/access.ts'
import { toAggregations } from '../aggregations.ts'
import { catalogUrl, createRootLink, mediaTypes } from '../links.ts'
import { parseApiSearch } from '../read-api-search.ts'

export const handler = defineHandler(stacAggregateOperation, async (call, input) => {
  const base = resolveLinkBase(call, input.base_url)
  const counts = await countMatchingItems(call, { ...parseApiSearch(input), projects: searchableProjects(call) })
  const requestedNames = input.aggregations ? new Set<string>(input.aggregations) : null
  return {
    type: 'AggregationCollection' as const,
    aggregations: toAggregations(counts).filter(({ name }) => !requestedNames || requestedNames.has(name)),
    links: [{ rel: 'self', href: `${catalogUrl(base)}/aggregate`, type: mediaTypes.json }, createRootLink(base)],
  }
})
