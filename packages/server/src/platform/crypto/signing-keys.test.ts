import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLocalJWKSet, decodeProtectedHeader, exportJWK, generateKeyPair, jwtVerify, SignJWT } from 'jose'
import { day_ms } from '@swath/geo/time-units.ts'
import { createManualClock } from '../clock.ts'
import { key_publication_overlap_ms, signing_period_ms, type KeyRing } from './key-ring.ts'
import { openSigningKeys, InvalidToken } from './signing-keys.ts'

const start = new Date('2026-01-01T00:00:00Z')
const options = { issuer: 'https://swath.example/realms/public', audience: 'swath' }

/** A stored key ring that several servers share. */
function sharedRing() {
  let ring: KeyRing | null = null
  let saves = 0
  return {
    saves: () => saves,
    ring: () => ring,
    load: async () => structuredClone(ring),
    save: async (next: KeyRing) => {
      if (next.version !== (ring?.version ?? 0) + 1) return false
      ring = structuredClone(next)
      saves += 1
      return true
    },
  }
}

const sealingKeys = [new Uint8Array(32).fill(7)] as const

async function openTestKeys() {
  const clock = createManualClock(start)
  const storage = sharedRing()
  const open = () => openSigningKeys({ load: storage.load, save: storage.save, clock, sealingKeys })
  return { clock, storage, open, keys: await open() }
}

test('a token verifies with the published JWK set and carries its claims', async () => {
  const { keys, clock } = await openTestKeys()
  const token = await keys.sign({ sub: 'u1', scope: 'items:read' }, { ...options, lifetime_s: 300 })
  const published = await keys.publicKeys()
  assert.equal(published.keys.length, 2)
  assert.ok(published.keys.every((key) => key.kty === 'RSA' && key.alg === 'RS256' && key.use === 'sig' && !key.d))
  const { payload } = await jwtVerify(token, createLocalJWKSet(published), { ...options, currentDate: clock.now() })
  assert.equal(payload.sub, 'u1')
  assert.equal(payload.exp, start.getTime() / 1000 + 300)
  assert.equal((await keys.verify(token, options)).scope, 'items:read')
})

test('tokens that are expired, foreign, modified or use another algorithm are rejected', async () => {
  const { keys, clock } = await openTestKeys()
  const token = await keys.sign({ sub: 'u1' }, { ...options, lifetime_s: 300 })
  const { kid } = decodeProtectedHeader(token)
  const assertRefused = (text: string, otherOptions = options) =>
    assert.rejects(keys.verify(text, otherOptions), InvalidToken)

  await assertRefused(token, { ...options, audience: 'other' })
  await assertRefused(token, { ...options, issuer: 'https://evil.example' })
  await assertRefused('')
  await assertRefused('a.b.c')
  await assertRefused(`${token.slice(0, -4)}AAAA`)
  const [header, body, signature] = token.split('.') as [string, string, string]
  const forgedClaims = Buffer.from(
    JSON.stringify({ ...JSON.parse(Buffer.from(body, 'base64url').toString()), sub: 'root' }),
  )
  await assertRefused(`${header}.${forgedClaims.toString('base64url')}.${signature}`)

  const none = Buffer.from(JSON.stringify({ alg: 'none', kid })).toString('base64url')
  await assertRefused(`${none}.${body}.`)
  const publicText = JSON.stringify((await keys.publicKeys()).keys[0])
  const confusedToken = await new SignJWT({ sub: 'root' })
    .setProtectedHeader({ alg: 'HS256', kid: kid! })
    .setIssuer(options.issuer)
    .setAudience(options.audience)
    .setIssuedAt(start)
    .setExpirationTime(start.getTime() / 1000 + 300)
    .sign(new TextEncoder().encode(publicText))
  await assertRefused(confusedToken)

  const otherPair = await generateKeyPair('RS256')
  const forge = (header: Record<string, unknown>) =>
    new SignJWT({ sub: 'root' })
      .setProtectedHeader({ alg: 'RS256', ...header })
      .setIssuer(options.issuer)
      .setAudience(options.audience)
      .setIssuedAt(start)
      .setExpirationTime(start.getTime() / 1000 + 300)
      .sign(otherPair.privateKey)
  await assertRefused(await forge({}))
  await assertRefused(await forge({ kid: 'theirs' }))
  await assertRefused(await forge({ kid, jwk: await exportJWK(otherPair.publicKey) }))

  clock.advance(306_000)
  await assert.rejects(keys.verify(token, options), (error) => error instanceof InvalidToken && error.expired)
})

test('keys rotate every 30 days to a key published in advance, and the old one stays published for an hour', async () => {
  const { keys, clock } = await openTestKeys()
  const publishedBefore = await keys.publicKeys()
  const kidOf = (token: string) => decodeProtectedHeader(token).kid
  const first = await keys.sign({}, { ...options, lifetime_s: 300 })
  assert.equal(kidOf(first), publishedBefore.keys[0]!.kid)

  clock.advance(signing_period_ms - 60_000)
  const last = await keys.sign({}, { ...options, lifetime_s: 300 })
  assert.equal(kidOf(last), kidOf(first))
  clock.advance(60_000)
  const next = await keys.sign({}, { ...options, lifetime_s: 300 })
  assert.equal(kidOf(next), publishedBefore.keys[1]!.kid)
  assert.deepEqual(
    (await keys.publicKeys()).keys.map((key) => key.kid).slice(0, 2),
    publishedBefore.keys.map((key) => key.kid),
  )
  assert.equal((await keys.publicKeys()).keys.length, 3)
  await keys.verify(last, options)

  clock.advance(key_publication_overlap_ms)
  const publishedAfter = await keys.publicKeys()
  assert.equal(publishedAfter.keys.length, 2)
  assert.equal(publishedAfter.keys[0]!.kid, kidOf(next))
})

test('a server that starts after months creates a key that signs', async () => {
  const { clock, open } = await openTestKeys()
  clock.advance(200 * day_ms)
  const keys = await open()
  const token = await keys.sign({}, { ...options, lifetime_s: 300 })
  await keys.verify(token, options)
  assert.equal((await keys.publicKeys()).keys.length, 2)
})

test("servers share one key ring and follow each other's changes", async () => {
  const clock = createManualClock(start)
  const storage = sharedRing()
  const open = () => openSigningKeys({ load: storage.load, save: storage.save, clock, sealingKeys })
  const [one, two] = await Promise.all([open(), open()])
  assert.equal(storage.saves(), 1)
  assert.deepEqual(await one.publicKeys(), await two.publicKeys())

  const revokedToken = await two.sign({}, { ...options, lifetime_s: 300 })
  await one.revokeSigningKey()
  await assert.rejects(one.verify(revokedToken, options), InvalidToken)
  const freshToken = await one.sign({}, { ...options, lifetime_s: 300 })
  await two.verify(freshToken, options)
  await two.revokeSigningKey()
  const laterToken = await two.sign({}, { ...options, lifetime_s: 300 })
  await one.verify(freshToken, options)
  await one.reload()
  await assert.rejects(
    one.verify(freshToken, options),
    InvalidToken,
    'the key that signed it was revoked by another server',
  )
  await one.verify(laterToken, options)
  await two.revokeSigningKey()
  const latestToken = await two.sign({}, { ...options, lifetime_s: 300 })
  clock.advance(10_000)
  await one.verify(latestToken, options)
})

test('private keys are stored encrypted', async () => {
  const { storage, clock } = await openTestKeys()
  const text = JSON.stringify(storage.ring())
  assert.ok(!text.includes('"d"') && !text.includes('"p"'))
  const otherSecret = openSigningKeys({
    load: storage.load,
    save: storage.save,
    clock,
    sealingKeys: [new Uint8Array(32)],
  })
  await assert.rejects((await otherSecret).sign({}, { ...options, lifetime_s: 1 }), /another master secret/)
})
