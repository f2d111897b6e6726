import type { Item } from '@swath/contract/shapes/item.ts'
import type { StacItem } from '@swath/contract/shapes/stac.ts'
import type { Call } from '../../engine/call.ts'
import { featuresOf } from './features.ts'
import { itemOf } from './item.ts'
import { linkBase } from './link-base.ts'
import { readSearch, type SearchInput } from './search.ts'
import { searchItems } from './store.search.ts'
import { findStacRows } from './store.ts'

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
  projects: () => Promise<readonly string[]>,
): Promise<FoundItems> {
  const base = linkBase(call, input.base_url)
  const asked = readSearch(input, [])
  const { rows, matched } = await searchItems(call.searchDb, call.organization, {
    ...asked,
    projects: await projects(),
  })
  if (input.format !== 'stac') return { type: 'FeatureCollection', features: rows.map(itemOf), numberMatched: matched }
  const ids = rows.map((row) => row.id)
  const features = await featuresOf(
    call.db,
    call.organization,
    await findStacRows(call.db, call.organization, ids),
    base,
  )
  return { type: 'FeatureCollection', features, numberMatched: matched }
}
