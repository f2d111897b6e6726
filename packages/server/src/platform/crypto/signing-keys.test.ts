import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLocalJWKSet, decodeProtectedHeader, exportJWK, generateKeyPair, jwtVerify, SignJWT } from 'jose'
import { manualClock } from '../clock.ts'
import { overlap_ms, signingPeriod_ms, type KeyRing } from './key-ring.ts'
import { openSigningKeys, TokenRefused } from './signing-keys.ts'

const start = new Date('2026-01-01T00:00:00Z')
const terms = { issuer: 'https://swath.example/realms/public', audience: 'swath' }
const day_ms = 24 * 3600 * 1000

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

const sealingKey = new Uint8Array(32).fill(7)

async function openHouse() {
  const clock = manualClock(start)
  const storage = sharedRing()
  const open = () => openSigningKeys({ load: storage.load, save: storage.save, clock, sealingKey })
  return { clock, storage, open, keys: await open() }
}

test('a token verifies with the published JWK set and carries its claims', async () => {
  const { keys, clock } = await openHouse()
  const token = await keys.sign({ sub: 'u1', scope: 'items:read' }, { ...terms, lifetime_s: 300 })
  const published = await keys.publicKeys()
  assert.equal(published.keys.length, 2)
  assert.ok(published.keys.every((key) => key.kty === 'RSA' && key.alg === 'RS256' && key.use === 'sig' && !key.d))
  const { payload } = await jwtVerify(token, createLocalJWKSet(published), { ...terms, currentDate: clock.now() })
  assert.equal(payload.sub, 'u1')
  assert.equal(payload.exp, start.getTime() / 1000 + 300)
  assert.equal((await keys.verify(token, terms)).scope, 'items:read')
})

test('tokens that are expired, foreign, modified or use another algorithm are rejected', async () => {
  const { keys, clock } = await openHouse()
  const token = await keys.sign({ sub: 'u1' }, { ...terms, lifetime_s: 300 })
  const { kid } = decodeProtectedHeader(token)
  const refused = (text: string, other = terms) => assert.rejects(keys.verify(text, other), TokenRefused)

  await refused(token, { ...terms, audience: 'other' })
  await refused(token, { ...terms, issuer: 'https://evil.example' })
  await refused('')
  await refused('a.b.c')
  await refused(`${token.slice(0, -4)}AAAA`)
  const [header, body, signature] = token.split('.') as [string, string, string]
  const claims = Buffer.from(JSON.stringify({ ...JSON.parse(Buffer.from(body, 'base64url').toString()), sub: 'root' }))
  await refused(`${header}.${claims.toString('base64url')}.${signature}`)

  const none = Buffer.from(JSON.stringify({ alg: 'none', kid })).toString('base64url')
  await refused(`${none}.${body}.`)
  const publicText = JSON.stringify((await keys.publicKeys()).keys[0])
  const confused = await new SignJWT({ sub: 'root' })
    .setProtectedHeader({ alg: 'HS256', kid: kid! })
    .setIssuer(terms.issuer)
    .setAudience(terms.audience)
    .setIssuedAt(start)
    .setExpirationTime(start.getTime() / 1000 + 300)
    .sign(new TextEncoder().encode(publicText))
  await refused(confused)

  const stranger = await generateKeyPair('RS256')
  const forge = (header: Record<string, unknown>) =>
    new SignJWT({ sub: 'root' })
      .setProtectedHeader({ alg: 'RS256', ...header })
      .setIssuer(terms.issuer)
      .setAudience(terms.audience)
      .setIssuedAt(start)
      .setExpirationTime(start.getTime() / 1000 + 300)
      .sign(stranger.privateKey)
  await refused(await forge({}))
  await refused(await forge({ kid: 'theirs' }))
  await refused(await forge({ kid, jwk: await exportJWK(stranger.publicKey) }))

  clock.advance(306_000)
  await assert.rejects(keys.verify(token, terms), (error) => error instanceof TokenRefused && error.expired)
})

test('keys rotate every 30 days to a key published in advance, and the old one stays published for an hour', async () => {
  const { keys, clock } = await openHouse()
  const before = await keys.publicKeys()
  const kidOf = (token: string) => decodeProtectedHeader(token).kid
  const first = await keys.sign({}, { ...terms, lifetime_s: 300 })
  assert.equal(kidOf(first), before.keys[0]!.kid)

  clock.advance(signingPeriod_ms - 60_000)
  const last = await keys.sign({}, { ...terms, lifetime_s: 300 })
  assert.equal(kidOf(last), kidOf(first))
  clock.advance(60_000)
  const next = await keys.sign({}, { ...terms, lifetime_s: 300 })
  assert.equal(kidOf(next), before.keys[1]!.kid)
  assert.deepEqual(
    (await keys.publicKeys()).keys.map((key) => key.kid).slice(0, 2),
    before.keys.map((key) => key.kid),
  )
  assert.equal((await keys.publicKeys()).keys.length, 3)
  await keys.verify(last, terms)

  clock.advance(overlap_ms)
  const after = await keys.publicKeys()
  assert.equal(after.keys.length, 2)
  assert.equal(after.keys[0]!.kid, kidOf(next))
})

test('a server that starts after months creates a key that signs', async () => {
  const { clock, open } = await openHouse()
  clock.advance(200 * day_ms)
  const keys = await open()
  const token = await keys.sign({}, { ...terms, lifetime_s: 300 })
  await keys.verify(token, terms)
  assert.equal((await keys.publicKeys()).keys.length, 2)
})

test("servers share one key ring and follow each other's changes", async () => {
  const clock = manualClock(start)
  const storage = sharedRing()
  const open = () => openSigningKeys({ load: storage.load, save: storage.save, clock, sealingKey })
  const [one, two] = await Promise.all([open(), open()])
  assert.equal(storage.saves(), 1)
  assert.deepEqual(await one.publicKeys(), await two.publicKeys())

  const stolen = await two.sign({}, { ...terms, lifetime_s: 300 })
  await one.replaceSigner()
  await assert.rejects(one.verify(stolen, terms), TokenRefused)
  const fresh = await one.sign({}, { ...terms, lifetime_s: 300 })
  await two.verify(fresh, terms)
  await two.replaceSigner()
  const later = await two.sign({}, { ...terms, lifetime_s: 300 })
  await one.verify(fresh, terms)
  await one.reload()
  await assert.rejects(one.verify(fresh, terms), TokenRefused, 'the key that signed it was revoked by another server')
  await one.verify(later, terms)
  await two.replaceSigner()
  const latest = await two.sign({}, { ...terms, lifetime_s: 300 })
  clock.advance(10_000)
  await one.verify(latest, terms)
})

test('private keys are stored encrypted', async () => {
  const { storage, clock } = await openHouse()
  const text = JSON.stringify(storage.ring())
  assert.ok(!text.includes('"d"') && !text.includes('"p"'))
  const thief = openSigningKeys({ load: storage.load, save: storage.save, clock, sealingKey: new Uint8Array(32) })
  await assert.rejects((await thief).sign({}, { ...terms, lifetime_s: 1 }), /another master secret/)
})
