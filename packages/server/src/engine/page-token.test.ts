import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createManualClock } from '../platform/clock.ts'
import { createMasterSecretSigner } from '../platform/crypto/signer.ts'
import { newId } from '../platform/ids.ts'
import {
  decodeNextToken,
  encodeNextToken,
  textSortKeyPattern,
  timestampSortKeyPattern,
  toPageWithNextToken,
  uuidSortKeyPattern,
} from './page-token.ts'
import { Problem } from './problem.ts'

const clock = createManualClock(new Date('2026-01-01T00:00:00Z'))
const master = new Uint8Array(32).fill(7)
const call = {
  operation: 'catalog.search',
  principal: { organization: newId() },
  clocks: clock,
  // Another process creates its own signer from the same secret.
  get signer() {
    return createMasterSecretSigner([master])
  },
}
const input = { host_name: 'open', bbox: [1, 2, 3, 4], collections: null, limit: 5 }
const keys = ['2024-02-29T10:00:00.000Z', 'a scene: "ä" / 1']
const patterns = [timestampSortKeyPattern, textSortKeyPattern]

const isInvalidTokenError = (error: unknown): boolean =>
  error instanceof Problem && error.problem === 'validation' && JSON.stringify(error.extra).includes('next')

test('another process decodes a token, whatever the limit and whether null fields are sent or absent', () => {
  const next = encodeNextToken(call, input, keys)
  assert.match(next, /^[\w-]+\.[\w-]+$/)
  assert.deepEqual(decodeNextToken(call, { ...input, next }, patterns), keys)
  const { collections: _, ...withoutNull } = input
  assert.deepEqual(decodeNextToken(call, { ...withoutNull, limit: 1, next }, patterns), keys)
  const id = newId()
  assert.deepEqual(decodeNextToken(call, { next: encodeNextToken(call, {}, [id]) }, [uuidSortKeyPattern]), [id])
})

test('a page has at most `limit` rows, and a token of its last one only if there are more', () => {
  const rows = Array.from({ length: 6 }, () => ({ id: newId() }))
  const { page, next } = toPageWithNextToken(call, input, rows, ({ id }) => [id])
  assert.deepEqual(page, rows.slice(0, 5))
  assert.deepEqual(decodeNextToken(call, { ...input, ...next }, [uuidSortKeyPattern]), [rows[4]!.id])
  assert.deepEqual(
    toPageWithNextToken(call, input, rows.slice(1), ({ id }) => [id]),
    { page: rows.slice(1), next: {} },
  )
  assert.deepEqual(
    toPageWithNextToken(call, input, [], () => []),
    { page: [], next: {} },
  )
})

test('returns null for the first page, when there is no token', () => {
  assert.equal(decodeNextToken(call, {}, [uuidSortKeyPattern]), null)
  assert.equal(decodeNextToken(call, { next: null }, [uuidSortKeyPattern]), null)
})

test('rejects a token for another operation, organization, filter or installation, and after the next day', () => {
  const next = encodeNextToken(call, input, keys)
  const others = [
    [{ ...call, operation: 'catalog.federated_search' }, input],
    [{ ...call, principal: { organization: newId() } }, input],
    [{ ...call, principal: { organization: null } }, input],
    [{ ...call, signer: createMasterSecretSigner([new Uint8Array(32).fill(8)]) }, input],
    [call, { ...input, bbox: [1, 2, 3, 5] }],
    [call, { ...input, host_name: 'commercial' }],
  ] as const
  for (const [otherCall, otherInput] of others)
    assert.throws(() => decodeNextToken(otherCall, { ...otherInput, next }, patterns), isInvalidTokenError)
  const callAfter = (seconds: number) => ({
    ...call,
    clocks: createManualClock(new Date(clock.now().getTime() + seconds * 1000)),
  })
  const day_s = 86_400
  const elapsed_s = (clock.now().getTime() / 1000) % day_s
  assert.deepEqual(decodeNextToken(callAfter(2 * day_s - elapsed_s - 1), { ...input, next }, patterns), keys)
  assert.throws(
    () => decodeNextToken(callAfter(2 * day_s - elapsed_s), { ...input, next }, patterns),
    isInvalidTokenError,
  )
  assert.equal(
    encodeNextToken(callAfter(day_s - elapsed_s - 1), input, keys),
    next,
    'equal requests get equal tokens all day',
  )
})

test('rejects a changed token and any other text', () => {
  const next = encodeNextToken(call, input, keys)
  const [body, signature] = next.split('.') as [string, string]
  const forged = Buffer.from(JSON.stringify([9e9, keys[0], 'another'])).toString('base64url')
  const bad = [
    '',
    '.',
    'null',
    body,
    `${body}.`,
    `${forged}.${signature}`,
    `${next}.x`,
    `${next}A`,
    '\ud800',
    '='.repeat(4000),
  ]
  for (const text of bad)
    assert.throws(() => decodeNextToken(call, { ...input, next: text }, patterns), isInvalidTokenError, text)
})

test('rejects a token whose sort keys have another format', () => {
  for (const otherKeys of [[keys[0]!], [...keys, 'x'], [keys[0]!, ''], ['2023-02-29T10:00:00.000Z', 'x']]) {
    const next = encodeNextToken(call, input, otherKeys)
    assert.throws(() => decodeNextToken(call, { ...input, next }, patterns), isInvalidTokenError)
  }
})
