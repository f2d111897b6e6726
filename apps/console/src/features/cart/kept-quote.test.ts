import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatKeptQuote, formatRemaining, parseKeptQuote } from './kept-quote.ts'

const quote = {
  quote_id: 'q',
  expires_at: '2026-01-01T00:15:00Z',
  groups: [],
  lines: [],
  eulas: [],
  total_aud: 1,
  total_credits: 100,
}
const begin_ms = Date.parse('2026-01-01T00:00:00Z')

test('a stored quote is used for the same request until it expires', () => {
  const stored = formatKeptQuote('a', quote)
  assert.deepEqual(parseKeptQuote(stored, 'a', begin_ms), quote)
  assert.equal(parseKeptQuote(stored, 'b', begin_ms), null)
  assert.equal(parseKeptQuote(stored, 'a', begin_ms + 900_000), null)
  for (const rubbish of [null, '', '{', '7', '{"request":"a"}']) assert.equal(parseKeptQuote(rubbish, 'a', 0), null)
})

test('the time that remains is counted down to zero', () => {
  assert.equal(formatRemaining(quote.expires_at, begin_ms), '15:00')
  assert.equal(formatRemaining(quote.expires_at, begin_ms + 895_500), '0:05')
  assert.equal(formatRemaining(quote.expires_at, begin_ms + 9e6), '0:00')
})
