import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Principal } from '../../../engine/call.ts'
import { createMasterSecretSigner } from '../../../platform/crypto/signer.ts'
import { newId } from '../../../platform/ids.ts'
import { isInteractiveUser } from '../../../engine/principal.ts'
import { createAssetTokenIssuer, splitAssetToken, verifyAssetToken } from './asset-tokens.ts'
import { toVerifiedAssetToken } from './resolve-asset-token.ts'
import type { AssetTokenCreator } from './store.asset-tokens.ts'

const [organization, user, item] = [newId(), newId(), newId()]
const signer = createMasterSecretSigner([new Uint8Array(32).fill(1)])
const now = new Date('2030-06-01T12:20:00Z')
const hoursLater = (hours: number): Date => new Date(now.getTime() + hours * 3_600_000)

const human = { kind: 'human', id: user, user, organization } as unknown as Principal

const createIssuer = (principal: Principal, at = now) =>
  createAssetTokenIssuer({
    organization,
    principal,
    signer,
    clock: { process: { now: () => at } },
  } as unknown as Parameters<typeof createAssetTokenIssuer>[0])

test('a token says who issued it and for which item, until a full hour of the next half day', () => {
  const token = createIssuer(human)!(item)
  const expires_at = new Date('2030-06-02T01:00:00Z')
  assert.deepEqual(verifyAssetToken(signer, token, now), { organization, creator: user, item, expires_at })
  assert.ok(verifyAssetToken(signer, token, hoursLater(12)))
  assert.equal(verifyAssetToken(signer, token, hoursLater(13)), null)
  assert.equal(createIssuer(human, hoursLater(0.5))!(item), token)
  assert.notEqual(createIssuer(human, hoursLater(1))!(item), token)
})

test('a changed token, one of another item or secret, and other texts are refused', () => {
  const token = createIssuer(human)!(item)
  const [body, signature] = token.split('.')
  const [otherBody] = createIssuer(human)!(newId()).split('.')
  const other = createMasterSecretSigner([new Uint8Array(32).fill(2)])
  for (const text of [
    '',
    'swathasset_',
    `${body}`,
    `${body}.`,
    `${otherBody}.${signature}`,
    `${token}A`,
    body!.slice(11),
  ])
    assert.equal(verifyAssetToken(signer, text, now), null, text)
  assert.equal(verifyAssetToken(other, token, now), null)
})

test('callers whose permissions are not their own issue none', () => {
  const callers: Principal[] = [
    { ...human, kind: 'service', user: null },
    { ...human, restriction: { item } },
    { ...human, impersonator: newId() },
  ]
  for (const principal of callers) assert.equal(createIssuer(principal), null)
})

test('what a reader adds to the URL of a file is no part of its token', () => {
  const token = createIssuer(human)!(item)
  assert.deepEqual(splitAssetToken(`${token}.aux.xml`), { token, suffix: '.aux.xml' })
  assert.deepEqual(splitAssetToken(`${token}.ovr`), { token, suffix: '.ovr' })
  for (const text of [token, 'swathasset_a.b.c', ''])
    assert.deepEqual(splitAssetToken(text), { token: text, suffix: '' })
})

test('the caller of a token is who issued it, and never a user in person', async () => {
  const ofUser = await resolve(user, { key_id: null })
  assert.deepEqual([ofUser.kind, ofUser.id, ofUser.rate_limit], ['human', user, undefined])
  const key = newId()
  const ofKey = await resolve(key, { key_id: key, key_rate_limit: 7 })
  assert.deepEqual([ofKey.kind, ofKey.id, ofKey.user, ofKey.rate_limit], ['api_key', key, user, 7])
  for (const principal of [ofUser, ofKey]) {
    assert.equal(isInteractiveUser(principal), false)
    assert.deepEqual(principal.operations, ['items.asset.download'])
    assert.deepEqual(principal.restriction, { item })
  }
})

/** The principal of a token, of what the database says about its creator. */
async function resolve(creator: string, row: Partial<AssetTokenCreator>): Promise<Principal> {
  const stored = {
    user_id: user,
    key_expires_at: null,
    key_rate_limit: null,
    organization_status: 'active',
    plan: 'free',
    stop_reason: null,
    ...row,
  }
  const dependencies = {
    unscoped: { query: async () => [stored] },
    clock: { process: { now: () => now }, forOrganization: () => ({ now: () => now }) },
  } as unknown as Parameters<typeof toVerifiedAssetToken>[0]
  const claims = { organization, creator, item, expires_at: hoursLater(12) }
  return (await toVerifiedAssetToken(dependencies, claims, hoursLater(1)))!.principal
}
