import { stacAggregate } from '@swath/contract/operations/stac.ts'
import { handler } from '../../engine/handler.ts'
import { countsOf } from '../items/counts.ts'
import { linkBase } from '../items/link-base.ts'
import { searchedProjects } from '../projects/access.ts'
import { aggregationsOf } from './aggregations.ts'
import { catalogOf, rootLink, types } from './links.ts'
import { readApiSearch } from './read-api-search.ts'

export const aggregateStac = handler(stacAggregate, async (call, input) => {
  const base = linkBase(call, input.base_url)
  const counts = await countsOf(call, { ...readApiSearch(input), projects: searchedProjects(call) })
  const asked = input.aggregations ? new Set<string>(input.aggregations) : null
  return {
    type: 'AggregationCollection' as const,
    aggregations: aggregationsOf(counts).filter(({ name }) => !asked || asked.has(name)),
    links: [{ rel: 'self', href: `${catalogOf(base)}/aggregate`, type: types.json }, rootLink(base)],
  }
})
