import { createHash } from 'node:crypto'
import type { Signer } from '../platform/crypto/signer.ts'
import type { Call, Principal } from './call.ts'
import { canonicalJson } from './once.ts'
import { Problem, validationProblem } from './problem.ts'

/** The format that a sort key in a token must have. */
export interface KeyShape {
  test(key: string): boolean
}

export const uuidKey: KeyShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
export const textKey: KeyShape = { test: (key) => /^[^\u0000]{1,500}$/.test(key) && key.isWellFormed() }
/** `Date.toISOString` format, valid dates only. */
export const timeKey: KeyShape = {
  test: (key) => {
    const time = new Date(key)
    return !Number.isNaN(time.getTime()) && time.toISOString() === key
  },
}

/** The request that a token is bound to: it is rejected for any other. */
export interface PageQuestion {
  readonly operation: string
  readonly organization: string | null
  /** The input without the fields that differ from page to page. */
  readonly filters: Readonly<Record<string, unknown>>
  /** Name of the input field that has the token. */
  readonly field: string
}

export interface TokenParts {
  readonly signer: Signer
  readonly now: Date
}

const purpose = 'page-tokens'
/** Tokens expire at the end of the next day (UTC), so that equal requests get equal responses all day. */
const day_s = 24 * 3600
const form = /^([\w-]+)\.([\w-]{43})$/

/** Absent and null fields are equivalent in every input. */
const hashOf = (filters: PageQuestion['filters']): string => {
  const said = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== null))
  return createHash('sha256').update(canonicalJson(said)).digest('base64url')
}

const signedParts = ({ operation, organization, filters }: PageQuestion, body: string): string[] => [
  operation,
  organization ?? '',
  hashOf(filters),
  body,
]

/**
 * An opaque token of the next page: the sort keys of the last row (keyset pagination), so that pages stay stable while rows
 * are added. It is self-contained and signed, so every process can read it; it is valid for one to two days and only for
 * the request that it is bound to.
 */
export function writePageToken({ signer, now }: TokenParts, question: PageQuestion, keys: readonly unknown[]): string {
  const expires_s = (Math.floor(now.getTime() / 1000 / day_s) + 2) * day_s
  const body = Buffer.from(JSON.stringify([expires_s, ...keys])).toString('base64url')
  return `${body}.${signer.sign(purpose, signedParts(question, body))}`
}

/** The sort keys in a token. Throws `validation` if it was changed, has expired or belongs to another request. */
export function readPageToken({ signer, now }: TokenParts, question: PageQuestion, token: string): unknown[] {
  const refusal = (message: string): Problem => validationProblem([{ path: question.field, message }])
  const [, body = '', signature = ''] = form.exec(token) ?? []
  if (!signer.verify(purpose, signedParts(question, body), signature)) {
    throw refusal('is not a token from an earlier response to the same request')
  }
  const [expires_s, ...keys] = JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as [number, ...unknown[]]
  if (expires_s * 1000 <= now.getTime()) throw refusal('has expired; start again without it')
  return keys
}

type Asking = Pick<Call, 'operation' | 'clocks' | 'signer'> & { readonly principal: Pick<Principal, 'organization'> }
type Asked = Readonly<Record<string, unknown>> & { readonly next?: string | null; readonly limit?: unknown }

/** Signer and time for the tokens of a caller: the clock of their organization, or of the process if they have none. */
export const tokenParts = ({
  signer,
  clocks,
  principal,
}: Pick<Asking, 'signer' | 'clocks' | 'principal'>): TokenParts => ({
  signer,
  now: (principal.organization === null ? clocks.process : clocks.of(principal.organization)).now(),
})

const questionOf = ({ operation, principal }: Asking, input: Asked): PageQuestion => ({
  operation,
  organization: principal.organization,
  filters: { ...input, next: null, limit: null },
  field: 'next',
})

/** The `next` field of a response. */
export const writeToken = (call: Asking, input: Asked, keys: readonly string[]): string =>
  writePageToken(tokenParts(call), questionOf(call, input), keys)

/** The sort keys in the `next` field of the input, in these formats; null if it has none. Throws `validation` if invalid. */
export function readToken(call: Asking, input: Asked, shapes: readonly KeyShape[]): string[] | null {
  if (input.next === null || input.next === undefined) return null
  const question = questionOf(call, input)
  const keys = readPageToken(tokenParts(call), question, input.next)
  const fit =
    keys.length === shapes.length && keys.every((key, index) => typeof key === 'string' && shapes[index]!.test(key))
  if (!fit) throw validationProblem([{ path: question.field, message: 'is not a token from an earlier response' }])
  return keys as string[]
}
