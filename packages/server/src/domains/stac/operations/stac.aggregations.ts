import { stacAggregationsOperation } from '@swath/contract/operations/stac.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { resolveLinkBase } from '../../items/stac/link-base.ts'
import { availableAggregations } from '../aggregations.ts'
import { buildParentUrl, createRootLink, stacMediaTypes } from '../links.ts'
import { requireShownCollection } from '../shown-collections.ts'

export const handler = defineHandler(stacAggregationsOperation, async (call, input) => {
  const base = resolveLinkBase(call, input.base_url)
  const { collection_id = null } = input
  const collection = collection_id === null ? null : await requireShownCollection(call, collection_id, 'read')
  return {
    type: 'AggregationCollection' as const,
    aggregations: [...availableAggregations],
    links: [
      {
        rel: 'self',
        href: `${buildParentUrl(base, collection?.id ?? null)}/aggregations`,
        type: stacMediaTypes.json,
      },
      createRootLink(base),
    ],
  }
})
