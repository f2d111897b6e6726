import type { Item } from '@swath/contract/schemas/item.ts'
import type { StacItem } from '@swath/contract/schemas/stac.ts'
import { computeNextOffset } from '../../../engine/page.ts'
import { createSerializedJson, type SerializedJson } from '../../../engine/operation-response.ts'
import type { Call } from '../../../engine/call.ts'
import { searchFeaturePage } from './search-features.ts'
import { createItemPageResponse } from './item-page.ts'
import { resolveLinkBase } from '../stac/link-base.ts'
import { parseItemSearch, type ItemSearchInput } from './search.ts'
import { listFoundItemRows } from './store.search.ts'
import type { ItemFilter } from './store.search-conditions.ts'

export interface ItemSearchPage {
  readonly type: 'FeatureCollection'
  readonly features: (Item | StacItem)[]
  readonly numberMatched: number
  readonly next_offset: number | null
}

type ItemSearchRequest = ItemSearchInput & { readonly format?: 'stac' | null; readonly base_url?: string | null }

/** Searches items of readable projects; returns flat items, or STAC Items for `format: "stac"`. */
export async function searchItemPage(
  call: Call,
  input: ItemSearchRequest,
  projects: () => ItemFilter['projects'] | Promise<ItemFilter['projects']>,
): Promise<ItemSearchPage | SerializedJson> {
  const base = resolveLinkBase(call, input.base_url)
  const { limit, offset } = input
  const search = { ...parseItemSearch(input), projects: await projects(), limit, offset, after: null }
  if (input.format === 'stac') {
    const { features, matched, returned, next } = await searchFeaturePage(call, search, base)
    const rest = { numberMatched: matched, next_offset: next === null ? null : offset + returned }
    return createSerializedJson(
      '{"type":"FeatureCollection","features":[',
      features,
      `],${JSON.stringify(rest).slice(1)}`,
    )
  }
  const { page, matched } = await listFoundItemRows(call.itemSearchDb, call.organization, {
    ...search,
    now: call.clock.now(),
  })
  return createItemPageResponse(call, 'features', {
    page,
    pageMembers: (returned) => ({
      type: 'FeatureCollection' as const,
      numberMatched: matched,
      next_offset: computeNextOffset(offset, returned, matched),
    }),
  })
}
