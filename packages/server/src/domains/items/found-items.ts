import type { Item } from '@swath/contract/shapes/item.ts'
import type { StacItem } from '@swath/contract/shapes/stac.ts'
import { written, type WrittenAnswer } from '../../engine/answer.ts'
import type { Call } from '../../engine/call.ts'
import { findFeatures } from './found-features.ts'
import { answerItems, nextOffset } from './item-page.ts'
import { linkBase } from './link-base.ts'
import { readSearch, type SearchInput } from './search.ts'
import { searchItems, type ItemConditions } from './store.search.ts'

export interface FoundItems {
  readonly type: 'FeatureCollection'
  readonly features: (Item | StacItem)[]
  readonly numberMatched: number
  readonly next_offset: number | null
}

type Asked = SearchInput & { readonly format?: 'stac' | null; readonly base_url?: string | null }

/** Searches items of readable projects; returns flat items, or STAC Items for `format: "stac"`. */
export async function findItems(
  call: Call,
  input: Asked,
  projects: () => ItemConditions['projects'] | Promise<ItemConditions['projects']>,
): Promise<FoundItems | WrittenAnswer> {
  const base = linkBase(call, input.base_url)
  const { limit, offset } = input
  const search = { ...readSearch(input), projects: await projects(), limit, offset, after: null }
  if (input.format === 'stac') {
    const { features, matched, returned, next } = await findFeatures(call, search, base)
    const rest = { numberMatched: matched, next_offset: next === null ? null : offset + returned }
    return written('{"type":"FeatureCollection","features":[', features, `],${JSON.stringify(rest).slice(1)}`)
  }
  const { page, matched } = await searchItems(call.searchDb, call.organization, { ...search, now: call.clock.now() })
  return answerItems(call, page, 'features', (returned) => ({
    type: 'FeatureCollection' as const,
    numberMatched: matched,
    next_offset: nextOffset(offset, returned, matched),
  }))
}
