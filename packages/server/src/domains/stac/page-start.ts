import type { Call } from '../../engine/call.ts'
import { readPageToken, tokenParts, writePageToken, type PageQuestion } from '../../engine/page-token.ts'
import type { ItemSearch } from '../items/store.search.ts'

/** Where a page begins: after a cursor, or at an offset. */
export type PageStart = Pick<ItemSearch, 'after' | 'offset'>

/** The cursor before a page: a row with its sort values. */
export type Boundary = NonNullable<PageStart['after']>
type Asking = Pick<Call, 'operation' | 'principal' | 'signer' | 'clocks'>

/** Page parameters; a token is bound to all of them but itself. */
interface Asked {
  readonly page: number
  readonly limit: number
  readonly token?: string | null
}

/** Maximum token length in a URL. Sort values of text properties can be longer. */
const longest_token = 2000

const unbound = { token: null, base_url: null, link_method: null }

/** Links of `stac.search` lead to the STAC API route, so both operations accept the same tokens. */
const asOneSearch = new Map([['stac.items.search', 'stac.search']])

const questionOf = ({ operation, principal }: Asking, asked: Asked): PageQuestion => ({
  operation: asOneSearch.get(operation) ?? operation,
  organization: principal.organization,
  filters: { ...asked, ...unbound },
  field: 'token',
})

/** Reads where the requested page begins; by offset without a token. Throws `validation` for a token of another page. */
export function readPageStart(call: Asking, asked: Asked): PageStart {
  const { page, limit, token } = asked
  if (token === null || token === undefined) return { after: null, offset: page * limit }
  const [id, ...values] = readPageToken(tokenParts(call), questionOf(call, asked), token) as [
    string,
    ...(string | null)[],
  ]
  return { after: { id, values }, offset: 0 }
}

/** The token of the page after the cursor; null if it would be too long for a URL. */
export function writePageStart(call: Asking, asked: Asked, { id, values }: Boundary): string | null {
  const token = writePageToken(tokenParts(call), questionOf(call, asked), [id, ...values])
  return token.length <= longest_token ? token : null
}
