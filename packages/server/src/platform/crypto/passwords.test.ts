import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPasswordHasher, max_password_bytes, min_password_cost } from './passwords.ts'

const { hash: hashPassword, verify: verifyPassword, needsNewHash } = createPasswordHasher()

test('a password matches its own hash only', async () => {
  const stored = await hashPassword('correct horse battery staple')
  assert.match(stored, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  assert.equal(await verifyPassword('correct horse battery staple', stored), true)
  assert.equal(await verifyPassword('correct horse battery stapl', stored), false)
  assert.notEqual(stored, await hashPassword('correct horse battery staple'))
  assert.equal(needsNewHash(stored), false)
})

test('hashes of another implementation (argon2-cffi 23.1) are verified', async () => {
  const first = '$argon2id$v=19$m=19456,t=2,p=1$xPDI0lNddYo2mJdi4DQwUA$7s0mlJyfrE7XSdSch8koCEbG6q2xISherzbg3au1XYk'
  const second = '$argon2id$v=19$m=19456,t=2,p=1$zE0MkkIy7Wy8/WiD1Ds4kQ$y1/TQqzTeCgH8z8VsFbtn+nMl3m7RW9+8JqydU9PZOU'
  assert.equal(await verifyPassword('correct horse battery staple', first), true)
  assert.equal(await verifyPassword('Grüße, 世界', second), true)
  assert.equal(await verifyPassword('Gru\u0308ße, 世界', second), true)
  assert.equal(await verifyPassword('Grüße', second), false)
})

test('an unknown user, a damaged hash and a hostile hash return false without an error', async () => {
  for (const stored of [
    null,
    '',
    'plain',
    '$argon2i$v=19$m=19456,t=2,p=1$xPDI0lNddYo2mJdi4DQwUA$7s0mlJyfrE7XSdSch8koCEbG6q2xISherzbg3au1XYk',
    '$argon2id$v=19$m=9999999,t=99,p=1$xPDI0lNddYo2mJdi4DQwUA$7s0mlJyfrE7XSdSch8koCEbG6q2xISherzbg3au1XYk',
    '$argon2id$v=19$m=1,t=1,p=1$xPDI0lNddYo2mJdi4DQwUA$7s0mlJyfrE7XSdSch8koCEbG6q2xISherzbg3au1XYk',
  ]) {
    assert.equal(await verifyPassword('anything', stored), false)
  }
})

test('a password longer than max_password_bytes is neither hashed nor verified', async () => {
  const long = 'x'.repeat(max_password_bytes + 1)
  await assert.rejects(hashPassword(long), RangeError)
  assert.equal(await verifyPassword(long, await hashPassword('x')), false)
  assert.equal(
    await verifyPassword('x'.repeat(max_password_bytes), await hashPassword('x'.repeat(max_password_bytes))),
    true,
  )
})

test('a hash with another cost needs a new hash', () => {
  const cheap = '$argon2id$v=19$m=65536,t=3,p=4$xPDI0lNddYo2mJdi4DQwUA$7s0mlJyfrE7XSdSch8koCEbG6q2xISherzbg3au1XYk'
  assert.equal(needsNewHash(cheap), true)
  assert.equal(needsNewHash('damaged'), true)
})

test('hashes with another cost are verified and need a new hash', async () => {
  const cheap = createPasswordHasher(min_password_cost)
  const stored = await cheap.hash('correct horse')
  assert.match(stored, /^\$argon2id\$v=19\$m=8,t=1,p=1\$/)
  assert.equal(await verifyPassword('correct horse', stored), true)
  assert.equal(await verifyPassword('wrong horse', stored), false)
  assert.equal(needsNewHash(stored), true)
  assert.equal(cheap.needsNewHash(stored), false)
})
