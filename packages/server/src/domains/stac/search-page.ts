import {
  entryTexts,
  serializedJson,
  type SerializedEntries,
  type SerializedJson,
} from '../../engine/operation-response.ts'
import type { Call } from '../../engine/call.ts'
import { searchFeaturePage } from '../items/search/search-features.ts'
import { alignedPageSize } from '../items/search/page-size.ts'
import { resolveLinkBase } from '../items/stac/link-base.ts'
import type { ParsedSearch } from '../items/search/search.ts'
import { searchableProjects } from '../projects/access.ts'
import { createPageLinks, createRootLink, searchUrls, type SearchUrls } from './links.ts'
import type { SortCursor } from '../items/search/store.sort.ts'
import { readPageStart, writePageStart } from './page-token.ts'
import { selectFields, type FieldsSelection } from './select-fields.ts'

/** The parameters of a search page, apart from the conditions. */
export interface SearchPageInput {
  readonly base_url: string
  readonly link_method: 'POST' | 'GET'
  readonly page: number
  readonly limit: number
  readonly token?: string | null
  readonly fields?: FieldsSelection
}

/** A page of a search over all visible items, as a FeatureCollection with the exact count of matches. */
export const createSearchPage = (call: Call, input: SearchPageInput, parsed: ParsedSearch): Promise<SerializedJson> =>
  createPage({ urls: searchUrls(resolveLinkBase(call, input.base_url)), call, input, linkFields: input, parsed })

/**
 * The same for pages with other URLs.
 *
 * @param linkFields the fields in links to other pages.
 * @param parsed the conditions.
 */
export async function createPage({
  urls,
  call,
  input,
  linkFields,
  parsed,
}: {
  readonly urls: SearchUrls
  readonly call: Call
  readonly input: SearchPageInput
  readonly linkFields: object
  readonly parsed: ParsedSearch
}): Promise<SerializedJson> {
  const base = resolveLinkBase(call, input.base_url)
  const { page, limit } = input
  const search = { ...parsed, projects: searchableProjects(call), limit, ...readPageStart(call, input) }
  const adjustCount = (fitting: number): number => alignedPageSize(page * limit, fitting)
  const { features, returned, matched, next } = await searchFeaturePage(call, search, base, { fit: adjustCount })
  const nextPage = next && nextPageFields(call, input, returned, next)
  const context = { returned, matched, page, pages: Math.ceil(matched / limit) }
  const links = [createRootLink(base), ...createPageLinks(urls, input.link_method, { ...linkFields }, nextPage)]
  return serializedJson(
    '{"type":"FeatureCollection","features":[',
    input.fields === undefined ? features : applyFieldsSelection(features, input.fields),
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
  return { ...at, token: writePageStart(call, { ...input, ...at }, next) }
}

const applyFieldsSelection = (features: SerializedEntries, fields: FieldsSelection): SerializedEntries => ({
  texts: entryTexts(features),
  turn: (text) => JSON.stringify(selectFields(JSON.parse(text) as Record<string, unknown>, fields)),
})
