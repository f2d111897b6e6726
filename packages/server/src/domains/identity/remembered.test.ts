import { test } from 'node:test'
import assert from 'node:assert/strict'
import { manualClock } from '../../platform/clock.ts'
import { visitor } from './principals.ts'
import { rememberTokens, type Verified } from './remembered.ts'

const now = new Date('2026-01-01T00:00:00Z')
const clock = manualClock(now)
const later = (seconds: number): Date => new Date(now.getTime() + seconds * 1000)
const verified = (...subjects: string[]): Verified => ({
  principal: visitor(null),
  expires_at: later(60),
  ends_at: null,
  subjects,
})

test('a cached token is found until it expires', () => {
  const memory = rememberTokens(10, () => true, clock)
  memory.open().keep('a', verified('user:1'))
  assert.equal(memory.find('a', later(59))?.id, 'visitor')
  assert.equal(memory.find('b', now), null)
  assert.equal(memory.find('a', later(60)), null)
  assert.equal(memory.find('a', now), null, 'an expired token is removed')
})

test('a change invalidates the tokens of its subject and no others', () => {
  const memory = rememberTokens(10, () => true, clock)
  memory.open().keep('a', verified('session:1', 'user:1'))
  memory.open().keep('b', verified('session:2', 'user:1'))
  memory.open().keep('c', verified('session:3', 'user:2'))
  memory.forget('session:1')
  assert.equal(memory.find('a', now), null)
  assert.ok(memory.find('b', now))
  memory.forget('user:1')
  assert.equal(memory.find('b', now), null)
  assert.ok(memory.find('c', now))
})

test('a lookup that began before a change is not cached', () => {
  const memory = rememberTokens(10, () => true, clock)
  const opened = memory.open()
  memory.forget('key:1')
  opened.keep('a', verified('key:1'))
  assert.equal(memory.find('a', now), null)
})

test('the least recently used token is evicted', () => {
  const memory = rememberTokens(2, () => true, clock)
  memory.open().keep('a', verified('user:1'))
  memory.open().keep('b', verified('user:2'))
  memory.find('a', now)
  memory.open().keep('c', verified('user:3'))
  assert.ok(memory.find('a', now))
  assert.equal(memory.find('b', now), null)
  assert.ok(memory.find('c', now))
})

test('the cache is empty while changes may have been missed', () => {
  let informed = true
  const memory = rememberTokens(2, () => informed, clock)
  memory.open().keep('a', verified('user:1'))
  informed = false
  assert.equal(memory.find('a', now), null)
  informed = true
  assert.equal(memory.find('a', now), null, 'it has to be verified again')
})

test('a token whose key expired by the clock of its organization is not found', () => {
  const moving = manualClock(now)
  const memory = rememberTokens(10, () => true, moving)
  const principal = { ...visitor(null), organization: 'one' }
  memory.open().keep('a', { principal, expires_at: later(60), ends_at: later(3600), subjects: [] })
  moving.advance(3_600_000, 'another')
  assert.ok(memory.find('a', now))
  moving.advance(3_600_000, 'one')
  assert.equal(memory.find('a', now), null)
})
