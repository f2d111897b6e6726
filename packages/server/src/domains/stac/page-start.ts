import type { Call } from '../../engine/call.ts'
import { readPageToken, tokenParts, writePageToken, type PageQuestion } from '../../engine/page-token.ts'
import type { ItemSearch } from '../items/store.search.ts'

/** Where a page begins: after a row and its sort values, or so many rows from the beginning. */
export type PageStart = Pick<ItemSearch, 'after' | 'offset'>

/** The row before a page, with its sort values. */
export type Boundary = NonNullable<PageStart['after']>
type Asking = Pick<Call, 'operation' | 'principal' | 'signer' | 'clocks'>

/** What is asked for a page; all of it but the token is what the token is bound to. */
interface Asked {
  readonly page: number
  readonly limit: number
  readonly token?: string | null
}

/** A token must have room in an address. Values of text properties may be longer than any. */
const longest_token = 2000

const unbound = { token: null, base_url: null, link_method: null }

/** The links of `stac.search` lead to the routes of the STAC API, which ask more, and nothing else by the same words. */
const asOneSearch = new Map([['stac.items.search', 'stac.search']])

const questionOf = ({ operation, principal }: Asking, asked: Asked): PageQuestion => ({
  operation: asOneSearch.get(operation) ?? operation,
  organization: principal.organization,
  filters: { ...asked, ...unbound },
  field: 'token',
})

/** Where the page begins that is asked for. A page without a token is found by counting. Throws `validation` for the token of another page. */
export function readPageStart(call: Asking, asked: Asked): PageStart {
  const { page, limit, token } = asked
  if (token === null || token === undefined) return { after: null, offset: page * limit }
  const [id, ...values] = readPageToken(tokenParts(call), questionOf(call, asked), token) as [
    string,
    ...(string | null)[],
  ]
  return { after: { id, values }, offset: 0 }
}

/** The token of the page that begins after the boundary; null where it would be too long for an address. */
export function writePageStart(call: Asking, asked: Asked, { id, values }: Boundary): string | null {
  const token = writePageToken(tokenParts(call), questionOf(call, asked), [id, ...values])
  return token.length <= longest_token ? token : null
}
