import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { humanScopes, isPrivilegedScope, scopes } from '@swath/contract/scopes.ts'
import { sql } from '../../platform/database/sql.ts'
import { newId } from '../../platform/ids.ts'
import {
  startIdentityTestApp,
  rejectedWith,
  type IdentityTestApp,
  type SignedInUser,
} from '../../../test/identity-test-app.ts'
import { parseApiKeyPermissions, requireOwnScopes } from './permissions.ts'

let app: IdentityTestApp
let owner: SignedInUser & { readonly organization: string }
before(async () => {
  app = await startIdentityTestApp()
  owner = await app.createFounder()
})
after(() => app.close())

const createKey = (token: string, input: object = {}) =>
  app.callOperation('api_keys.create', token, { name: 'k', ...input })
const getScopes = async (permissions: string[] | undefined): Promise<unknown> =>
  (await app.callOperation('users.me', String((await createKey(owner.token, { permissions }))['key'])))['scopes']

test('the permission flags of a key determine its scopes', async () => {
  assert.deepEqual(await getScopes(undefined), ['*:read'])
  assert.deepEqual(await getScopes([]), ['*:read'])
  assert.deepEqual(await getScopes(['can_read']), ['*:read'])
  assert.deepEqual(await getScopes(['can_write']), ['*:read', '*:write'])
  assert.deepEqual(await getScopes(['can_process']), ['*:read', '*:process'])
  assert.deepEqual(await getScopes(['can_write', 'can_process', 'can_write']), ['*:read', '*:write', '*:process'])
  assert.deepEqual(await getScopes(['items:read']), ['items:read'])
  assert.deepEqual(await getScopes(['items:read', 'can_process']), ['*:read', '*:process', 'items:read'])
})

test('a permission is a flag or a scope, and a privileged one only for callers who have it', async () => {
  const unprivileged = scopes.filter((scope) => !isPrivilegedScope(scope))
  assert.deepEqual(await getScopes([...unprivileged]), unprivileged)
  const rejectedPermissions = ['admin:read', '*', 'items:*', '*:read', 'admin:*', 'items:fly', 'read', '']
  for (const permission of rejectedPermissions) {
    await assert.rejects(
      createKey(owner.token, { permissions: ['can_read', permission] }),
      rejectedWith('validation'),
      permission,
    )
  }
  await assert.rejects(createKey(owner.token, { permissions: ['clip:read'] }), rejectedWith('insufficient-scope'))
  const stored = parseApiKeyPermissions(['clip:read', 'clip:destroy'])
  assert.deepEqual(stored, ['clip:read', 'clip:destroy'])
  requireOwnScopes({ scopes: [...humanScopes, 'clip:*'] }, stored)
  assert.throws(() => requireOwnScopes({ scopes: humanScopes }, stored), rejectedWith('insufficient-scope'))
})

test('a key without the scope of an operation is rejected before validation', async () => {
  const { key } = await createKey(owner.token, { permissions: ['can_read'] })
  await assert.rejects(
    app.callOperation('projects.create', String(key), { name: 'x' }),
    rejectedWith('insufficient-scope'),
  )
  await assert.rejects(
    app.callOperation('projects.create', String(key), { nonsense: 1 }),
    rejectedWith('insufficient-scope'),
  )
  const narrow = await createKey(owner.token, { permissions: ['items:read'] })
  assert.ok(await app.callOperation('projects.list', String(narrow['key'])))
  await assert.rejects(app.callOperation('api_keys.list', String(narrow['key'])), rejectedWith('insufficient-scope'))
})

test('the secret is returned once; lists identify a key by its prefix', async () => {
  const founder = await app.createFounder()
  const created = await createKey(founder.token, {
    name: 'ci',
    permissions: ['can_read'],
    rate_limit: 10,
    spend_cap_credits: 500,
    expires_in_days: 7,
  })
  assert.match(String(created['key']), /^swath_[0-9A-Za-z]{38}$/)
  assert.deepEqual([created['rate_limit'], created['spend_cap_credits']], [10, 500])
  assert.equal(created['expires_at'], new Date(app.clock.now().getTime() + 7 * 86_400_000).toISOString())
  const listed = await app.callOperation('api_keys.list', founder.token)
  assert.equal(listed['total'], 1)
  const text = JSON.stringify(listed)
  assert.equal(text.includes(String(created['key'])), false)
  const [row] = listed['api_keys'] as Record<string, unknown>[]
  assert.equal(row?.['prefix'], String(created['key']).slice(0, 10))
  assert.equal(row?.['created_by'], founder.id)
  assert.equal(row?.['spend_cap_credits'], 500)
  assert.equal(row?.['revoked_at'], null)
})

test('only owners and admins create keys, and only as users', async () => {
  const admin = await app.addMember(owner.token, 'admin')
  assert.ok(await createKey(admin.token))
  for (const role of ['member', 'billing']) {
    const member = await app.addMember(owner.token, role)
    await assert.rejects(createKey(member.token), rejectedWith('forbidden'), role)
    await assert.rejects(app.callOperation('api_keys.list', member.token), rejectedWith('forbidden'), role)
  }
  const { key } = await createKey(owner.token, { permissions: ['can_write'] })
  await assert.rejects(createKey(String(key)), rejectedWith('user-required'))
  assert.ok(await app.callOperation('api_keys.list', String(key)), 'a key of an owner can list keys')
  const userWithoutOrganization = await app.createOutsider()
  await assert.rejects(createKey(userWithoutOrganization.token), rejectedWith('no-organization'))
})

test('a key of another organization answers not-found; revoking twice keeps the first time', async () => {
  const created = await createKey(owner.token)
  const foreigner = await app.createFounder()
  const revoke = (token: string, key_id: unknown) => app.callOperation('api_keys.revoke', token, { key_id })
  await assert.rejects(revoke(foreigner.token, created['id']), rejectedWith('not-found'))
  await assert.rejects(revoke(foreigner.token, newId()), rejectedWith('not-found'))
  assert.ok(await app.callOperation('users.me', String(created['key'])))
  assert.deepEqual(await revoke(owner.token, created['id']), { ok: true, id: created['id'] })
  const revokedAt = async (): Promise<unknown> => {
    const { api_keys } = (await app.callOperation('api_keys.list', owner.token)) as {
      api_keys: Record<string, unknown>[]
    }
    return api_keys.find(({ id }) => id === created['id'])?.['revoked_at']
  }
  const first = await revokedAt()
  app.clock.advance(1000)
  await revoke(owner.token, created['id'])
  assert.equal(await revokedAt(), first)
})

test('a key can revoke itself and no other key, also through a token', async () => {
  const founder = await app.createFounder()
  const admin = await app.addMember(founder.token, 'admin')
  const other = await createKey(founder.token, { permissions: ['can_read'] })
  const created = await createKey(admin.token, { permissions: ['can_write'] })
  const key = String(created['key'])
  const exchange = { grant_type: 'client_credentials', client_id: 'swath', client_secret: key }
  const { body } = await app.postForm('token', exchange)
  for (const token of [key, String(body['access_token'])]) {
    for (const key_id of [other['id'], newId()]) {
      await assert.rejects(app.callOperation('api_keys.revoke', token, { key_id }), rejectedWith('user-required'))
    }
  }
  assert.ok(await app.callOperation('users.me', String(other['key'])))

  await app.database.unscoped.query(sql`update memberships set role = 'member' where user_id = ${admin.id}`)
  await assert.rejects(
    app.callOperation('api_keys.revoke', admin.token, { key_id: created['id'] }),
    rejectedWith('forbidden'),
  )
  const revoked = await app.callOperation('api_keys.revoke', key, { key_id: String(created['id']).toUpperCase() })
  assert.deepEqual(revoked, { ok: true, id: created['id'] })
  for (const token of [key, String(body['access_token'])]) {
    await assert.rejects(app.callOperation('users.me', token), rejectedWith('unauthenticated'))
  }
})
