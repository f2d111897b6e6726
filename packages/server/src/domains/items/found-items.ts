import type { Item } from '@swath/contract/shapes/item.ts'
import type { StacItem } from '@swath/contract/shapes/stac.ts'
import { written, type WrittenAnswer } from '../../engine/answer.ts'
import type { Call } from '../../engine/call.ts'
import { findFeatures } from './found-features.ts'
import { itemOf } from './item.ts'
import { linkBase } from './link-base.ts'
import { readSearch, type SearchInput } from './search.ts'
import { searchItems, type ItemConditions } from './store.search.ts'

export interface FoundItems {
  readonly type: 'FeatureCollection'
  readonly features: (Item | StacItem)[]
  readonly numberMatched: number
}

type Asked = SearchInput & { readonly format?: 'stac' | null; readonly base_url?: string | null }

/** Searches the items of some projects that the caller may read; as flat items, or as STAC Items for `format: "stac"`. */
export async function findItems(
  call: Call,
  input: Asked,
  projects: () => ItemConditions['projects'] | Promise<ItemConditions['projects']>,
): Promise<FoundItems | WrittenAnswer> {
  const base = linkBase(call, input.base_url)
  const { limit, offset } = input
  const search = { ...readSearch(input), projects: await projects(), limit, offset, after: null }
  if (input.format === 'stac') {
    const { features, matched } = await findFeatures(call, search, base)
    return written('{"type":"FeatureCollection","features":[', features, `],"numberMatched":${matched}}`)
  }
  const { rows, matched } = await searchItems(call.searchDb, call.organization, search)
  return { type: 'FeatureCollection', features: rows.map(itemOf), numberMatched: matched }
}
