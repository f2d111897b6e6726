import type { Call } from '../../engine/call.ts'
import { decodePageToken, pageTokenContext, encodePageToken, type PageTokenBinding } from '../../engine/page-token.ts'
import type { ItemSearch } from '../items/search/store.search-conditions.ts'
import type { SortCursor } from '../items/search/store.sort.ts'

/** The start of a page: after a cursor, or at an offset. */
export type SearchPageStart = Pick<ItemSearch, 'after' | 'offset'>

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
export function readPageStart(call: PageTokenCall, parameters: PageParameters): SearchPageStart {
  const { page, limit, token } = parameters
  if (token === null || token === undefined) return { after: null, offset: page * limit }
  const [id, ...values] = decodePageToken(pageTokenContext(call), tokenBinding(call, parameters), token) as [
    string,
    ...(string | null)[],
  ]
  return { after: { id, values }, offset: 0 }
}

/** The token of the page after the cursor; null if it would be too long for a URL. */
export function writePageStart(
  call: PageTokenCall,
  parameters: PageParameters,
  { id, values }: SortCursor,
): string | null {
  const token = encodePageToken(pageTokenContext(call), tokenBinding(call, parameters), [id, ...values])
  return token.length <= max_token_length ? token : null
}
