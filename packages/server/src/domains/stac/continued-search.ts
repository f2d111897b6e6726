import { hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { limits } from '@swath/contract/limits.ts'
import type { Call } from '../../engine/call.ts'
import { canonicalJson } from '../../engine/idempotency.ts'
import { decodePageToken, encodePageToken, pageTokenContext, type PageTokenBinding } from '../../engine/page-token.ts'
import { validationProblem } from '../../engine/problem.ts'
import type { ItemSearch } from '../items/search/store.search-conditions.ts'
import type { SortCursor } from '../items/search/store.sort.ts'
import { withoutDefaults } from './links.ts'
import type { FieldsSelection } from './select-fields.ts'

/** The parameters of a search page, apart from the conditions. */
export interface SearchPageInput {
  readonly base_url: string
  readonly link_method: 'POST' | 'GET'
  readonly page: number
  readonly limit: number
  readonly token?: string | null
  readonly fields?: FieldsSelection
}

/** Where a page starts: after a cursor, or at an offset. */
type SearchPageStart = Pick<ItemSearch, 'after' | 'offset'>

/** A search with what its token adds: the conditions, page and limit of the search that it continues. */
export interface ContinuedSearch<Input> {
  readonly input: Input
  readonly start: SearchPageStart
}

type TokenCall = Pick<Call, 'operation' | 'principal' | 'signer' | 'clocks'>
type SearchConditions = Readonly<Record<string, unknown>>

/** Maximum token length: in a URL, and in a body. */
const max_token_length = { GET: 2000, POST: 8000 } as const

const tokenBinding = ({ principal }: TokenCall, operation: string): PageTokenBinding => ({
  operation,
  organization: principal.organization,
  filters: {},
  field: 'token',
})

const pageFields: ReadonlySet<string> = new Set(['base_url', 'link_method', 'page', 'limit', 'token'])

/** One text and a list of it are the same condition. */
const toComparable = (name: string, value: unknown): unknown =>
  (name === 'ids' || name === 'collections') && typeof value === 'string' ? value.split(',') : value

/** The conditions of a search that differ from their defaults. */
const conditionsOf = (input: object): SearchConditions =>
  Object.fromEntries(
    Object.entries(withoutDefaults({ ...input }))
      .filter(([name, value]) => !pageFields.has(name) && value !== undefined && value !== null)
      .map(([name, value]) => [name, toComparable(name, value)]),
  )

const hashConditions = (conditions: SearchConditions): string => hash('sha256', canonicalJson(conditions), 'base64url')

type TokenContent = [
  conditions: SearchConditions | string,
  page: number,
  limit: number,
  id: string,
  ...values: (string | null)[],
]

const invalidToken = (message: string) => validationProblem([{ path: 'token', message }])

/**
 * The token of the page after the cursor. It continues its search alone: it has the conditions, or, if they are too long for it,
 * their hash, and then the request has to repeat them. Null if even that would be too long.
 */
export function writeSearchToken(
  call: TokenCall,
  input: SearchPageInput,
  at: { readonly page: number; readonly limit: number },
  { id, values }: SortCursor,
): string | null {
  const conditions = conditionsOf(input)
  // A GET link of `stac.search` leads to the STAC API.
  const isGetOfPlatformSearch = input.link_method === 'GET' && call.operation === 'stac.search'
  const binding = tokenBinding(call, isGetOfPlatformSearch ? 'stac.items.search' : call.operation)
  const write = (part: TokenContent[0]): string => {
    const content: TokenContent = [part, at.page, at.limit, id, ...values]
    return encodePageToken(pageTokenContext(call), binding, content)
  }
  const fits = (token: string): boolean => token.length <= max_token_length[input.link_method]
  return [conditions, hashConditions(conditions)].map(write).find(fits) ?? null
}

/**
 * The search of a request, continued by its token if it has one. What is sent beside the token has to be that of the search. Throws
 * `validation` for a token of another search.
 */
export function continueSearch<Input extends SearchPageInput>(call: TokenCall, input: Input): ContinuedSearch<Input> {
  const { page, limit, token } = input
  if (token === null || token === undefined) return { input, start: { after: null, offset: page * limit } }
  const [part, token_page, token_limit, id, ...values] = decodePageToken(
    pageTokenContext(call),
    tokenBinding(call, call.operation),
    token,
  ) as TokenContent
  const sent = conditionsOf(input)
  const conditions = typeof part === 'string' ? sent : part
  const isSame =
    typeof part === 'string'
      ? part === hashConditions(sent)
      : Object.entries(sent).every(([name, value]) => isDeepStrictEqual(value, part[name]))
  if (!isSame || (page !== 0 && page !== token_page))
    throw invalidToken('is of another search: send it alone, or with the parameters of the search that it continues')
  if (limit < token_limit && limit !== limits.stac_search_limit.default)
    throw invalidToken(`continues pages of ${token_limit} items: send the same limit, or search again without it`)
  return {
    input: { ...input, ...conditions, page: token_page, limit: token_limit },
    start: { after: { id, values }, offset: 0 },
  }
}
