import { hash } from 'node:crypto'
import type { MasterSecretSigner } from '../platform/crypto/signer.ts'
import type { Call, Principal } from './call.ts'
import { canonicalJson } from './idempotency.ts'
import { Problem, validationProblem } from './problem.ts'

/** The format that a sort key in a token must have. */
export interface SortKeyPattern {
  test(key: string): boolean
}

export const uuidSortKeyPattern: SortKeyPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
export const textSortKeyPattern: SortKeyPattern = {
  test: (key) => /^[^\u0000]{1,500}$/.test(key) && key.isWellFormed(),
}
/** `Date.toISOString` format, valid dates only. */
export const timestampSortKeyPattern: SortKeyPattern = {
  test: (key) => {
    const time = new Date(key)
    return !Number.isNaN(time.getTime()) && time.toISOString() === key
  },
}

/** The request that a token is bound to: it is rejected for any other. */
export interface PageTokenBinding {
  readonly operation: string
  readonly organization: string | null
  /** The input without the fields that differ from page to page. */
  readonly filters: Readonly<Record<string, unknown>>
  /** Name of the input field that has the token. */
  readonly field: string
}

export interface PageTokenContext {
  readonly signer: MasterSecretSigner
  readonly now: Date
}

const purpose = 'page-tokens'
/** Tokens expire at the end of the next day (UTC), so that equal requests get equal responses all day. */
const seconds_per_day = 24 * 3600
const tokenPattern = /^([\w-]+)\.([\w-]{43})$/

/** Absent and null fields are equivalent in every input. */
const hashFilters = (filters: PageTokenBinding['filters']): string => {
  const present = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== null))
  return hash('sha256', canonicalJson(present), 'base64url')
}

const signedFields = ({ operation, organization, filters }: PageTokenBinding, body: string): string[] => [
  operation,
  organization ?? '',
  hashFilters(filters),
  body,
]

/**
 * An opaque token of the next page: the sort keys of the last row (keyset pagination), so that pages stay stable while rows
 * are added. It is self-contained and signed, so every process can read it; it is valid for one to two days and only for
 * the request that it is bound to.
 */
export function encodePageToken(
  { signer, now }: PageTokenContext,
  binding: PageTokenBinding,
  keys: readonly unknown[],
): string {
  const expires_s = (Math.floor(now.getTime() / 1000 / seconds_per_day) + 2) * seconds_per_day
  const body = Buffer.from(JSON.stringify([expires_s, ...keys])).toString('base64url')
  return `${body}.${signer.sign(purpose, signedFields(binding, body))}`
}

/** The sort keys in a token. Throws `validation` if it was changed, has expired or belongs to another request. */
export function decodePageToken(
  { signer, now }: PageTokenContext,
  binding: PageTokenBinding,
  token: string,
): unknown[] {
  const invalidToken = (message: string): Problem => validationProblem([{ path: binding.field, message }])
  const [, body = '', signature = ''] = tokenPattern.exec(token) ?? []
  if (!signer.verify(purpose, signedFields(binding, body), signature)) {
    throw invalidToken('is not a token from an earlier response to the same request')
  }
  const [expires_s, ...keys] = JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as [number, ...unknown[]]
  if (expires_s * 1000 <= now.getTime()) throw invalidToken('has expired; start again without it')
  return keys
}

type PagingCall = Pick<Call, 'operation' | 'clocks' | 'signer'> & {
  readonly principal: Pick<Principal, 'organization'>
}
type PagedInput = Readonly<Record<string, unknown>> & { readonly next?: string | null; readonly limit?: unknown }

/** Signer and time for the tokens of a caller: the clock of their organization, or of the process if they have none. */
export const pageTokenContext = ({
  signer,
  clocks,
  principal,
}: Pick<PagingCall, 'signer' | 'clocks' | 'principal'>): PageTokenContext => ({
  signer,
  now: (principal.organization === null ? clocks.process : clocks.forOrganization(principal.organization)).now(),
})

const bindingOf = ({ operation, principal }: PagingCall, input: PagedInput): PageTokenBinding => ({
  operation,
  organization: principal.organization,
  filters: { ...input, next: null, limit: null },
  field: 'next',
})

/** The `next` field of a response. */
export const encodeNextToken = (call: PagingCall, input: PagedInput, keys: readonly string[]): string =>
  encodePageToken(pageTokenContext(call), bindingOf(call, input), keys)

/**
 * The page of a list of which one row more than the `limit` of the input was read, with the member `next` of the response,
 * which is omitted on the last page.
 *
 * @param keysOf the sort keys of a row; the token has those of the last row of the page.
 */
export function toPageWithNextToken<Row>(
  call: PagingCall,
  input: PagedInput & { readonly limit: number },
  rows: readonly Row[],
  keysOf: (row: Row) => readonly string[],
): { page: Row[]; next: { next?: string } } {
  const page = rows.slice(0, input.limit)
  const last = page.at(-1)
  const isLast = rows.length === page.length || last === undefined
  return { page, next: isLast ? {} : { next: encodeNextToken(call, input, keysOf(last)) } }
}

/** The sort keys in the `next` field of the input, in these formats; null if it has none. Throws `validation` if invalid. */
export function decodeNextToken(
  call: PagingCall,
  input: PagedInput,
  patterns: readonly SortKeyPattern[],
): string[] | null {
  if (input.next === null || input.next === undefined) return null
  const binding = bindingOf(call, input)
  const keys = decodePageToken(pageTokenContext(call), binding, input.next)
  const isValid =
    keys.length === patterns.length && keys.every((key, index) => typeof key === 'string' && patterns[index]!.test(key))
  if (!isValid) throw validationProblem([{ path: binding.field, message: 'is not a token from an earlier response' }])
  return keys as string[]
}
