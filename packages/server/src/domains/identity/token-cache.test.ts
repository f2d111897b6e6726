import { test } from 'node:test'
import assert from 'node:assert/strict'
import { createManualClock } from '../../platform/clock.ts'
import { createAnonymousPrincipal } from './principals.ts'
import { createTokenCache, type VerifiedToken } from './token-cache.ts'

const now = new Date('2026-01-01T00:00:00Z')
const clock = createManualClock(now)
const secondsLater = (seconds: number): Date => new Date(now.getTime() + seconds * 1000)
const verified = (...subjects: string[]): VerifiedToken => ({
  principal: createAnonymousPrincipal(null),
  expires_at: secondsLater(60),
  ends_at: null,
  subjects,
})

test('a cached token is found until it expires', () => {
  const cache = createTokenCache(10, () => true, clock)
  cache.beginLookup().store('a', verified('user:1'))
  assert.equal(cache.find('a', secondsLater(59))?.id, 'visitor')
  assert.equal(cache.find('b', now), null)
  assert.equal(cache.find('a', secondsLater(60)), null)
  assert.equal(cache.find('a', now), null, 'an expired token is removed')
})

test('a change invalidates the tokens of its subject and no others', () => {
  const cache = createTokenCache(10, () => true, clock)
  cache.beginLookup().store('a', verified('session:1', 'user:1'))
  cache.beginLookup().store('b', verified('session:2', 'user:1'))
  cache.beginLookup().store('c', verified('session:3', 'user:2'))
  cache.invalidate('session:1')
  assert.equal(cache.find('a', now), null)
  assert.ok(cache.find('b', now))
  cache.invalidate('user:1')
  assert.equal(cache.find('b', now), null)
  assert.ok(cache.find('c', now))
})

test('a lookup that began before a change is not cached', () => {
  const cache = createTokenCache(10, () => true, clock)
  const lookup = cache.beginLookup()
  cache.invalidate('key:1')
  lookup.store('a', verified('key:1'))
  assert.equal(cache.find('a', now), null)
})

test('the least recently used token is evicted', () => {
  const cache = createTokenCache(2, () => true, clock)
  cache.beginLookup().store('a', verified('user:1'))
  cache.beginLookup().store('b', verified('user:2'))
  cache.find('a', now)
  cache.beginLookup().store('c', verified('user:3'))
  assert.ok(cache.find('a', now))
  assert.equal(cache.find('b', now), null)
  assert.ok(cache.find('c', now))
})

test('the cache is empty while changes may have been missed', () => {
  let isUpToDate = true
  const cache = createTokenCache(2, () => isUpToDate, clock)
  cache.beginLookup().store('a', verified('user:1'))
  isUpToDate = false
  assert.equal(cache.find('a', now), null)
  isUpToDate = true
  assert.equal(cache.find('a', now), null, 'it has to be verified again')
})

test('a token whose key expired by the clock of its organization is not found', () => {
  const movableClock = createManualClock(now)
  const cache = createTokenCache(10, () => true, movableClock)
  const principal = { ...createAnonymousPrincipal(null), organization: 'one' }
  cache.beginLookup().store('a', { principal, expires_at: secondsLater(60), ends_at: secondsLater(3600), subjects: [] })
  movableClock.advance(3_600_000, 'another')
  assert.ok(cache.find('a', now))
  movableClock.advance(3_600_000, 'one')
  assert.equal(cache.find('a', now), null)
})
