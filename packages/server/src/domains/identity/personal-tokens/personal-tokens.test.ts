import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  adminEmail,
  adminPassword,
  rejectedWith,
  startIdentityTestApp,
  type IdentityTestApp,
  type SignedInUser,
} from '../../../../test/identity-test-app.ts'
import { isInteractiveScope } from '@swath/contract/scopes.ts'
import { newId } from '../../../platform/ids.ts'

let app: IdentityTestApp
let owner: SignedInUser & { readonly organization: string }
before(async () => {
  app = await startIdentityTestApp()
  owner = await app.createFounder()
})
after(() => app.close())

interface CreatedToken {
  readonly id: string
  readonly token: string
  readonly scopes: readonly string[]
  readonly organization_id: string
}

const create = async (by: string, input: object = {}): Promise<CreatedToken> => {
  const defaults = { name: 'Laptop', scopes: ['organizations:read'], expires_in_days: 30 }
  return (await app.callOperation('users.tokens.create', by, { ...defaults, ...input })) as never
}

const isRefused = (token: string): Promise<void> =>
  assert.rejects(app.callOperation('users.me', token), rejectedWith('unauthenticated'))

const createWith = async (scope: string): Promise<string> => {
  const grant = { grant_type: 'password', username: owner.email, password: owner.password, scope }
  return String((await app.postForm('token', grant)).body['access_token'])
}

test('a token acts as its user in its organization with the scopes that were chosen', async () => {
  const created = await create(owner.token, { scopes: ['organizations:read', 'projects:*'] })
  assert.match(created.token, /^swathpat_[0-9A-Za-z]{38}$/)
  assert.deepEqual(created.scopes, ['projects:write', 'organizations:read'])
  assert.equal(created.organization_id, owner.organization)
  const me = await app.callOperation('users.me', created.token)
  assert.deepEqual([me['kind'], (me['user'] as { id: string }).id], ['human', owner.id])
  assert.ok(await app.callOperation('organizations.members.list', created.token))
  assert.ok(await app.callOperation('projects.create', created.token, { name: 'By token' }))
  await assert.rejects(app.callOperation('api_keys.list', created.token), rejectedWith('insufficient-scope'))
})

test('the list shows tokens without their text, with their last use', async () => {
  const member = await app.addMember(owner.token, 'member')
  const created = await create(member.token, { name: 'Used', scopes: ['items:read'] })
  await app.callOperation('users.me', created.token)
  await app.identity.flush()
  const listed = await app.callOperation('users.tokens.list', member.token)
  assert.equal(JSON.stringify(listed).includes(created.token), false)
  const [row] = listed['tokens'] as Record<string, unknown>[]
  assert.deepEqual(
    [row!['name'], row!['prefix'], row!['last_used_at'], row!['last_used_address'], row!['revoked_at']],
    ['Used', created.token.slice(0, 13), app.clock.now().toISOString(), '127.0.0.1', null],
  )
})

test('a token has no scope that the token of the session lacks in which it is made', async () => {
  const narrow = await createWith('personal_tokens:write items:read')
  await assert.rejects(create(narrow, { scopes: ['items:write'] }), rejectedWith('insufficient-scope'))
  await assert.rejects(create(narrow, { scopes: ['*:read'] }), rejectedWith('insufficient-scope'))
  assert.deepEqual((await create(narrow, { scopes: ['items:read'] })).scopes, ['items:read'])
  await assert.rejects(create(owner.token, { scopes: ['admin:read'] }), rejectedWith('insufficient-scope'))
  for (const scopes of [['*'], ['items:fly'], [], ['api_keys:*', 'nothing:read']])
    await assert.rejects(create(owner.token, { scopes }), rejectedWith('validation'))
  await assert.rejects(create(owner.token, { expires_in_days: 366 }), rejectedWith('validation'))
})

test('privileged scopes are had only by who has them and asks for them', async () => {
  const grant = { grant_type: 'password', username: adminEmail, password: adminPassword }
  const operator = String(
    (await app.postForm('token', { ...grant, scope: 'admin:* personal_tokens:write *:read' })).body['access_token'],
  )
  const all = await create(operator, { scopes: ['*:read'] })
  assert.equal(all.scopes.includes('admin:read'), false)
  const asked = await create(operator, { scopes: ['admin:read'] })
  assert.ok(await app.callOperation('admin.users.list', asked.token))
  await assert.rejects(app.callOperation('admin.users.list', all.token), rejectedWith('insufficient-scope'))
})

test('a token makes keys only if that scope is named, never wider ones, and no tokens', async () => {
  const wild = await create(owner.token, { scopes: ['*:write', '*:read', 'api_keys:*'] })
  for (const scope of ['api_keys:write', 'oauth_clients:write']) assert.equal(wild.scopes.includes(scope), false, scope)
  assert.deepEqual(wild.scopes.filter(isInteractiveScope), [])
  await assert.rejects(create(owner.token, { scopes: ['users:read', 'consents:*'] }), rejectedWith('validation'))
  await assert.rejects(
    app.callOperation('api_keys.create', wild.token, { name: 'K' }),
    rejectedWith('insufficient-scope'),
  )
  const named = await create(owner.token, { scopes: ['personal_tokens:write', 'api_keys:write', 'items:read'] })
  assert.deepEqual(named.scopes, ['items:read', 'api_keys:write'])
  await assert.rejects(create(named.token, { scopes: ['items:read'] }), rejectedWith('insufficient-scope'))
  await assert.rejects(
    app.callOperation('api_keys.create', named.token, { name: 'K', permissions: ['can_read'] }),
    rejectedWith('insufficient-scope'),
  )
})

test('API keys make no tokens', async () => {
  const permissions = ['personal_tokens:write', 'items:read']
  const { key } = await app.callOperation('api_keys.create', owner.token, { name: 'K', permissions })
  await assert.rejects(create(String(key), { scopes: ['items:read'] }), rejectedWith('user-required'))
})

test('a token ends when it is revoked, by its user, by an admin, or by who has it, and when it expires', async () => {
  const member = await app.addMember(owner.token, 'member')
  const [own, byAdmin, presented, expired] = [
    await create(member.token, { scopes: ['items:read'] }),
    await create(member.token, { scopes: ['items:read'] }),
    await create(member.token, { scopes: ['items:read'] }),
    await create(member.token, { scopes: ['items:read'], expires_in_days: 1 }),
  ]
  for (const { token } of [own, byAdmin, presented, expired]) assert.ok(await app.callOperation('users.me', token))
  await app.callOperation('users.tokens.revoke', member.token, { token_id: own.id })
  await app.callOperation('organizations.tokens.revoke', owner.token, { token_id: byAdmin.id })
  await app.postForm('revoke', { token: presented.token })
  for (const { token } of [own, byAdmin, presented]) await isRefused(token)
  app.clock.advance(24 * 3600 * 1000)
  await isRefused(expired.token)
  const revoked = (await app.callOperation('users.tokens.list', (await refreshed(member)).token))['tokens'] as {
    revoked_at: unknown
  }[]
  assert.equal(revoked.filter(({ revoked_at }) => revoked_at !== null).length, 3)
  owner = { ...owner, ...(await refreshed(owner)) }
})

/** The clock has moved beyond the access token. */
const refreshed = async (user: SignedInUser): Promise<{ token: string }> => ({
  token: (await app.signIn(user.email, user.password)).access_token,
})

test('a token ends with the membership and does not come back with it', async () => {
  const member = await app.addMember(owner.token, 'member')
  const { token } = await create(member.token, { scopes: ['items:read'] })
  assert.ok(await app.callOperation('users.me', token))
  await app.callOperation('organizations.members.remove', owner.token, { user_id: member.id })
  await isRefused(token)
  const operator = (await app.signIn(adminEmail, adminPassword)).access_token
  const again = { organization_id: owner.organization, email: member.email, role: 'member' }
  await app.callOperation('organizations.members.add', operator, again)
  await isRefused(token)
})

test('a token ends when its user is disabled, also once the user is enabled again', async () => {
  const member = await app.addMember(owner.token, 'member')
  const { token } = await create(member.token, { scopes: ['items:read'] })
  const operator = (await app.signIn(adminEmail, adminPassword)).access_token
  assert.ok(await app.callOperation('users.me', token))
  await app.callOperation('admin.users.disable', operator, { user_id: member.id, reason: 'test' })
  await isRefused(token)
  await app.callOperation('admin.users.enable', operator, { user_id: member.id, reason: 'test' })
  await isRefused(token)
})

test('owners and admins see the tokens of members; an admin does not end those of an owner, nor another organization', async () => {
  const admin = await app.addMember(owner.token, 'admin')
  const member = await app.addMember(owner.token, 'member')
  const ofOwner = await create(owner.token, { name: 'Of the owner' })
  const list = (token: string, input = {}) => app.callOperation('organizations.tokens.list', token, input)
  const { tokens } = (await list(admin.token, { user_id: owner.id })) as { tokens: Record<string, unknown>[] }
  const found = tokens.find(({ id }) => id === ofOwner.id)
  assert.deepEqual([found?.['user_email'], found?.['name']], [owner.email, 'Of the owner'])
  await assert.rejects(list(member.token), rejectedWith('forbidden'))
  const revoke = (token: string, token_id: string) =>
    app.callOperation('organizations.tokens.revoke', token, { token_id })
  await assert.rejects(revoke(admin.token, ofOwner.id), rejectedWith('forbidden'))
  const foreigner = await app.createFounder()
  await assert.rejects(revoke(foreigner.token, ofOwner.id), rejectedWith('not-found'))
  await assert.rejects(revoke(owner.token, newId()), rejectedWith('not-found'))
  await assert.rejects(
    app.callOperation('users.tokens.revoke', member.token, { token_id: ofOwner.id }),
    rejectedWith('not-found'),
  )
  assert.ok(await app.callOperation('users.me', ofOwner.token))
})

test('a user has at most so many active tokens, also with calls at once', async () => {
  const member = await app.addMember(owner.token, 'member')
  for (let count = 0; count < 48; count += 1) await create(member.token, { scopes: ['items:read'] })
  const results = await Promise.allSettled(
    Array.from({ length: 6 }, () => create(member.token, { scopes: ['items:read'] })),
  )
  assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 2)
})

test('introspection tells what a token may do', async () => {
  const { token } = await create(owner.token, { scopes: ['items:read'] })
  const answer = await app.postForm('token/introspect', { token }, { authorization: `Bearer ${owner.token}` })
  assert.deepEqual([answer.body['active'], answer.body['scope']], [true, 'items:read'])
})

test('the list of keys names who created one, and where it was used last', async () => {
  const { key, id } = await app.callOperation('api_keys.create', owner.token, {
    name: 'K',
    permissions: ['items:read'],
  })
  await app.callOperationWith('users.me', { apiKey: String(key), address: '192.0.2.7' })
  await app.identity.flush()
  const { api_keys } = (await app.callOperation('api_keys.list', owner.token)) as {
    api_keys: Record<string, unknown>[]
  }
  const row = api_keys.find((entry) => entry['id'] === id)
  assert.deepEqual([row?.['created_by_name'], row?.['last_used_address']], [owner.email, '192.0.2.7'])
  assert.deepEqual([row?.['permissions'], row?.['expires_at']], [['items:read'], null])
})
