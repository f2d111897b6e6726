import {
  type SerializedEntries,
  type SerializedJson,
  splitSerializedEntries,
  createSerializedJson,
} from '../../engine/operation-response.ts'
import type { StacItem } from '@swath/contract/schemas/stac.ts'
import type { Call } from '../../engine/call.ts'
import { searchFeaturePage } from '../items/search/search-features.ts'
import { alignPageSize } from '../items/search/page-size.ts'
import { resolveLinkBase } from '../items/stac/link-base.ts'
import type { ParsedSearch } from '../items/search/search.ts'
import { toSearchableProjectsSql } from '../projects/access.ts'
import { type SearchUrls, createPageLinks, createRootLink, buildStacSearchUrls } from './links.ts'
import type { SortCursor } from '../items/search/store.sort.ts'
import { writeSearchToken, type ContinuedSearch, type SearchPageInput } from './continued-search.ts'
import { createAssetSigner } from './signed-assets.ts'
import { type FieldsSelection, selectItemFields } from './select-fields.ts'

/** A page of a search over all visible items, as a FeatureCollection with the exact count of matches. */
export const createStacSearchPage = (
  call: Call,
  search: ContinuedSearch<SearchPageInput>,
  parsed: ParsedSearch,
): Promise<SerializedJson> =>
  createStacPageWithUrls({
    urls: buildStacSearchUrls(resolveLinkBase(call, search.input.base_url), call.operation),
    call,
    search,
    linkFields: search.input,
    parsed,
  })

/**
 * The same for pages with other URLs.
 *
 * @param linkFields the fields in links to other pages.
 * @param parsed the conditions.
 */
export async function createStacPageWithUrls({
  urls,
  call,
  search: { input, start },
  linkFields,
  parsed,
}: {
  readonly urls: SearchUrls
  readonly call: Call
  readonly search: ContinuedSearch<SearchPageInput>
  readonly linkFields: object
  readonly parsed: ParsedSearch
}): Promise<SerializedJson> {
  const base = resolveLinkBase(call, input.base_url)
  const { page, limit } = input
  const search = { ...parsed, projects: toSearchableProjectsSql(call), limit, ...start }
  const adjustCount = (fitting: number): number => alignPageSize(page * limit, fitting)
  const { features, returned, matched, next } = await searchFeaturePage(call, search, base, { fit: adjustCount })
  const nextPage = next && nextPageFields(call, input, returned, next)
  const context = { returned, matched, page, pages: Math.ceil(matched / limit) }
  const links = [createRootLink(base), ...createPageLinks(urls, input.link_method, { ...linkFields }, nextPage)]
  return createSerializedJson(
    '{"type":"FeatureCollection","features":[',
    transformFeatures(features, createAssetSigner(call, base), input.fields),
    `],"context":${JSON.stringify(context)},"numberMatched":${matched},"numberReturned":${returned},"links":${JSON.stringify(links)}}`,
  )
}

/** The fields of the next page. Pages are numbered: after a page that ended early, the others have its size. */
function nextPageFields(
  call: Call,
  input: SearchPageInput,
  returned: number,
  next: SortCursor,
): Readonly<Record<string, unknown>> {
  const { page, limit } = input
  const at = { page: (page * limit) / returned + 1, ...(returned === limit ? {} : { limit: returned }) }
  return { ...at, token: writeSearchToken(call, input, { limit, ...at }, next) }
}

/** The Features as the catalogue shows them, with the selected fields; the texts themselves if neither changes them. */
function transformFeatures(
  features: SerializedEntries,
  sign: ((feature: StacItem) => StacItem) | null,
  fields: FieldsSelection | undefined,
): SerializedEntries {
  if (sign === null && fields === undefined) return features
  return {
    texts: splitSerializedEntries(features),
    turn: (text) => {
      const feature = JSON.parse(text) as StacItem
      const shown = sign === null ? feature : sign(feature)
      return JSON.stringify(fields === undefined ? shown : selectItemFields({ ...shown }, fields))
    },
  }
}
