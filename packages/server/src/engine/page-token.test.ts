import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manualClock } from '../platform/clock.ts'
import { makeSigner } from '../platform/crypto/signer.ts'
import { newId } from '../platform/ids.ts'
import { readToken, textKey, timeKey, uuidKey, writeToken } from './page-token.ts'
import { Problem } from './problem.ts'

const clock = manualClock(new Date('2026-01-01T00:00:00Z'))
const master = new Uint8Array(32).fill(7)
const call = {
  operation: 'catalog.search',
  principal: { organization: newId() },
  clocks: clock,
  // Another process creates its own signer from the same secret.
  get signer() {
    return makeSigner(master)
  },
}
const input = { host_name: 'open', bbox: [1, 2, 3, 4], collections: null, limit: 5 }
const keys = ['2024-02-29T10:00:00.000Z', 'a scene: "ä" / 1']
const shapes = [timeKey, textKey]

const isRefused = (error: unknown): boolean =>
  error instanceof Problem && error.problem === 'validation' && JSON.stringify(error.extra).includes('next')

test('another process decodes a token, whatever the limit and whether null fields are sent or absent', () => {
  const next = writeToken(call, input, keys)
  assert.match(next, /^[\w-]+\.[\w-]+$/)
  assert.deepEqual(readToken(call, { ...input, next }, shapes), keys)
  const { collections: _, ...said } = input
  assert.deepEqual(readToken(call, { ...said, limit: 1, next }, shapes), keys)
  const id = newId()
  assert.deepEqual(readToken(call, { next: writeToken(call, {}, [id]) }, [uuidKey]), [id])
})

test('returns null for the first page, when there is no token', () => {
  assert.equal(readToken(call, {}, [uuidKey]), null)
  assert.equal(readToken(call, { next: null }, [uuidKey]), null)
})

test('rejects a token for another operation, organization, filter or installation, and after the next day', () => {
  const next = writeToken(call, input, keys)
  const others = [
    [{ ...call, operation: 'catalog.federated_search' }, input],
    [{ ...call, principal: { organization: newId() } }, input],
    [{ ...call, principal: { organization: null } }, input],
    [{ ...call, signer: makeSigner(new Uint8Array(32).fill(8)) }, input],
    [call, { ...input, bbox: [1, 2, 3, 5] }],
    [call, { ...input, host_name: 'commercial' }],
  ] as const
  for (const [asking, asked] of others) assert.throws(() => readToken(asking, { ...asked, next }, shapes), isRefused)
  const at = (seconds: number) => ({ ...call, clocks: manualClock(new Date(clock.now().getTime() + seconds * 1000)) })
  const day_s = 86_400
  const passed_s = (clock.now().getTime() / 1000) % day_s
  assert.deepEqual(readToken(at(2 * day_s - passed_s - 1), { ...input, next }, shapes), keys)
  assert.throws(() => readToken(at(2 * day_s - passed_s), { ...input, next }, shapes), isRefused)
  assert.equal(writeToken(at(day_s - passed_s - 1), input, keys), next, 'equal requests get equal tokens all day')
})

test('rejects a changed token and any other text', () => {
  const next = writeToken(call, input, keys)
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
  for (const text of bad) assert.throws(() => readToken(call, { ...input, next: text }, shapes), isRefused, text)
})

test('rejects a token whose sort keys have another format', () => {
  for (const written of [[keys[0]!], [...keys, 'x'], [keys[0]!, ''], ['2023-02-29T10:00:00.000Z', 'x']]) {
    const next = writeToken(call, input, written)
    assert.throws(() => readToken(call, { ...input, next }, shapes), isRefused)
  }
})
