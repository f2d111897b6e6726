import {
  type SerializedEntries,
  type SerializedJson,
  splitSerializedEntries,
  createSerializedJson,
} from '../../engine/operation-response.ts'
import type { Call } from '../../engine/call.ts'
import { searchFeaturePage } from '../items/search/search-features.ts'
import { alignPageSize } from '../items/search/page-size.ts'
import { resolveLinkBase } from '../items/stac/link-base.ts'
import type { ParsedSearch } from '../items/search/search.ts'
import { toSearchableProjectsSql } from '../projects/access.ts'
import { type SearchUrls, createPageLinks, createRootLink, buildStacSearchUrls } from './links.ts'
import type { SortCursor } from '../items/search/store.sort.ts'
import { type FieldsSelection, selectItemFields } from './select-fields.ts'
import { type PageTokenBinding, decodePageToken, encodePageToken, pageTokenContext } from '../../engine/page-token.ts'
import type { ItemSearch } from '../items/search/store.search-conditions.ts'

/** The start of a page: after a cursor, or at an offset. */
type SearchPageStart = Pick<ItemSearch, 'after' | 'offset'>

type PageTokenCall = Pick<Call, 'operation' | 'principal' | 'signer' | 'clocks'>

/** Page parameters; a token is bound to all of them but itself. */
interface PageParameters {
  readonly page: number
  readonly limit: number
  readonly token?: string | null
}

/** Maximum token length in a URL. Sort values of text properties can be longer. */
const max_token_length = 2000

const unboundParameters = { token: null, base_url: null, link_method: null }

/** Links of `stac.search` lead to the STAC API route, so both operations accept the same tokens. */
const sharedTokenOperations = new Map([['stac.items.search', 'stac.search']])

const tokenBinding = ({ operation, principal }: PageTokenCall, parameters: PageParameters): PageTokenBinding => ({
  operation: sharedTokenOperations.get(operation) ?? operation,
  organization: principal.organization,
  filters: { ...parameters, ...unboundParameters },
  field: 'token',
})

/** Reads where the requested page begins; by offset without a token. Throws `validation` for a token of another page. */
function readPageStart(call: PageTokenCall, parameters: PageParameters): SearchPageStart {
  const { page, limit, token } = parameters
  if (token === null || token === undefined) return { after: null, offset: page * limit }
  const [id, ...values] = decodePageToken(pageTokenContext(call), tokenBinding(call, parameters), token) as [
    string,
    ...(string | null)[],
  ]
  return { after: { id, values }, offset: 0 }
}

/** The token of the page after the cursor; null if it would be too long for a URL. */
function writePageStart(call: PageTokenCall, parameters: PageParameters, { id, values }: SortCursor): string | null {
  const token = encodePageToken(pageTokenContext(call), tokenBinding(call, parameters), [id, ...values])
  return token.length <= max_token_length ? token : null
}

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
export const createStacSearchPage = (
  call: Call,
  input: SearchPageInput,
  parsed: ParsedSearch,
): Promise<SerializedJson> =>
  createStacPageWithUrls({
    urls: buildStacSearchUrls(resolveLinkBase(call, input.base_url)),
    call,
    input,
    linkFields: input,
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
  const search = { ...parsed, projects: toSearchableProjectsSql(call), limit, ...readPageStart(call, input) }
  const adjustCount = (fitting: number): number => alignPageSize(page * limit, fitting)
  const { features, returned, matched, next } = await searchFeaturePage(call, search, base, { fit: adjustCount })
  const nextPage = next && nextPageFields(call, input, returned, next)
  const context = { returned, matched, page, pages: Math.ceil(matched / limit) }
  const links = [createRootLink(base), ...createPageLinks(urls, input.link_method, { ...linkFields }, nextPage)]
  return createSerializedJson(
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
  texts: splitSerializedEntries(features),
  turn: (text) => JSON.stringify(selectItemFields(JSON.parse(text) as Record<string, unknown>, fields)),
})
