import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createManualClock } from '../../platform/clock.ts'
import type { KeyRing } from '../../platform/crypto/key-ring.ts'
import { openSigningKeys } from '../../platform/crypto/signing-keys.ts'
import { newId } from '../../platform/ids.ts'
import { publicClientId, buildIssuerUrl, createAccessTokenService } from './access-tokens.ts'

test('a JWT of another type is not an access token, even with the same key, issuer, audience and claims', async () => {
  let ring: KeyRing | null = null
  const keys = await openSigningKeys({
    load: async () => ring,
    save: async (next) => {
      ring = next
      return true
    },
    clock: createManualClock(new Date('2026-03-01T12:00:00.000Z')),
    sealingKeys: [new Uint8Array(32)],
  })
  const base = 'https://swath.example'
  const tokens = createAccessTokenService(keys, base)
  const [subject, session] = [newId(), newId()]
  const token = await tokens.sign({
    kind: 'human',
    subject,
    session,
    organization: null,
    client_id: publicClientId,
    scopes: ['*'],
    baseUrl: base,
  })
  assert.equal((await tokens.verify(token))?.subject, subject)
  const signOptions = { issuer: buildIssuerUrl(base), audience: publicClientId, lifetime_s: 300 }
  const claims = { sub: subject, sid: session, kind: 'human', scope: '*' }
  for (const type of ['JWT', 'rt+jwt', 'logout+jwt']) {
    assert.equal(await tokens.verify(await keys.sign(claims, { ...signOptions, type })), null, type)
  }
})
