import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { isPrivileged, scopes } from '@swath/contract/scopes.ts'
import { sql } from '../../platform/database/sql.ts'
import { newId } from '../../platform/ids.ts'
import { openPeopleHouse, problem, type PeopleHouse, type Person } from '../../../test/identity-setup.ts'

let house: PeopleHouse
let owner: Person & { readonly organization: string }
before(async () => {
  house = await openPeopleHouse()
  owner = await house.founder()
})
after(() => house.close())

const create = (token: string, input: object = {}) => house.op('api_keys.create', token, { name: 'k', ...input })
const scopesOf = async (permissions: string[] | undefined): Promise<unknown> =>
  (await house.op('users.me', String((await create(owner.token, { permissions }))['key'])))['scopes']

test('the permission flags of a key determine its scopes', async () => {
  assert.deepEqual(await scopesOf(undefined), ['*:read'])
  assert.deepEqual(await scopesOf([]), ['*:read'])
  assert.deepEqual(await scopesOf(['can_read']), ['*:read'])
  assert.deepEqual(await scopesOf(['can_write']), ['*:read', '*:write'])
  assert.deepEqual(await scopesOf(['can_process']), ['*:read', '*:process'])
  assert.deepEqual(await scopesOf(['can_write', 'can_process', 'can_write']), ['*:read', '*:write', '*:process'])
  assert.deepEqual(await scopesOf(['items:read']), ['items:read'])
  assert.deepEqual(await scopesOf(['items:read', 'can_process']), ['*:read', '*:process', 'items:read'])
})

test('a permission is a flag or an unprivileged scope', async () => {
  const unprivileged = scopes.filter((scope) => !isPrivileged(scope))
  assert.deepEqual(await scopesOf([...unprivileged]), unprivileged)
  const refused = [
    'admin:read',
    'clip:read',
    'clip:destroy',
    '*',
    'items:*',
    '*:read',
    'admin:*',
    'items:fly',
    'read',
    '',
  ]
  for (const word of refused) {
    await assert.rejects(create(owner.token, { permissions: ['can_read', word] }), problem('validation'), word)
  }
})

test('a key without the scope of an operation is rejected before validation', async () => {
  const { key } = await create(owner.token, { permissions: ['can_read'] })
  await assert.rejects(house.op('projects.create', String(key), { name: 'x' }), problem('insufficient-scope'))
  await assert.rejects(house.op('projects.create', String(key), { nonsense: 1 }), problem('insufficient-scope'))
  const narrow = await create(owner.token, { permissions: ['items:read'] })
  assert.ok(await house.op('projects.list', String(narrow['key'])))
  await assert.rejects(house.op('api_keys.list', String(narrow['key'])), problem('insufficient-scope'))
})

test('the secret is returned once; lists identify a key by its prefix', async () => {
  const founder = await house.founder()
  const made = await create(founder.token, {
    name: 'ci',
    permissions: ['can_read'],
    rate_limit: 10,
    spend_cap_credits: 500,
    expires_in_days: 7,
  })
  assert.match(String(made['key']), /^swath_[0-9A-Za-z]{38}$/)
  assert.deepEqual([made['rate_limit'], made['spend_cap_credits']], [10, 500])
  assert.equal(made['expires_at'], new Date(house.clock.now().getTime() + 7 * 86_400_000).toISOString())
  const listed = await house.op('api_keys.list', founder.token)
  assert.equal(listed['total'], 1)
  const text = JSON.stringify(listed)
  assert.equal(text.includes(String(made['key'])), false)
  const [row] = listed['api_keys'] as Record<string, unknown>[]
  assert.equal(row?.['prefix'], String(made['key']).slice(0, 10))
  assert.equal(row?.['created_by'], founder.id)
  assert.equal(row?.['spend_cap_credits'], 500)
  assert.equal(row?.['revoked_at'], null)
})

test('only owners and admins create keys, and only as users', async () => {
  const admin = await house.member(owner.token, 'admin')
  assert.ok(await create(admin.token))
  for (const role of ['member', 'billing']) {
    const person = await house.member(owner.token, role)
    await assert.rejects(create(person.token), problem('forbidden'), role)
    await assert.rejects(house.op('api_keys.list', person.token), problem('forbidden'), role)
  }
  const { key } = await create(owner.token, { permissions: ['can_write'] })
  await assert.rejects(create(String(key)), problem('user-required'))
  assert.ok(await house.op('api_keys.list', String(key)), 'a key of an owner can list keys')
  const stranger = await house.stranger()
  await assert.rejects(create(stranger.token), problem('no-organization'))
})

test('a key of another organization answers not-found; revoking twice keeps the first time', async () => {
  const made = await create(owner.token)
  const foreigner = await house.founder()
  const revoke = (token: string, key_id: unknown) => house.op('api_keys.revoke', token, { key_id })
  await assert.rejects(revoke(foreigner.token, made['id']), problem('not-found'))
  await assert.rejects(revoke(foreigner.token, newId()), problem('not-found'))
  assert.ok(await house.op('users.me', String(made['key'])))
  assert.deepEqual(await revoke(owner.token, made['id']), { ok: true, id: made['id'] })
  const revokedAt = async (): Promise<unknown> => {
    const { api_keys } = (await house.op('api_keys.list', owner.token)) as { api_keys: Record<string, unknown>[] }
    return api_keys.find(({ id }) => id === made['id'])?.['revoked_at']
  }
  const first = await revokedAt()
  house.clock.advance(1000)
  await revoke(owner.token, made['id'])
  assert.equal(await revokedAt(), first)
})

test('a key can revoke itself and no other key, also through a token', async () => {
  const founder = await house.founder()
  const admin = await house.member(founder.token, 'admin')
  const other = await create(founder.token, { permissions: ['can_read'] })
  const made = await create(admin.token, { permissions: ['can_write'] })
  const key = String(made['key'])
  const exchange = { grant_type: 'client_credentials', client_id: 'swath', client_secret: key }
  const { body } = await house.form('token', exchange)
  for (const token of [key, String(body['access_token'])]) {
    for (const key_id of [other['id'], newId()]) {
      await assert.rejects(house.op('api_keys.revoke', token, { key_id }), problem('user-required'))
    }
  }
  assert.ok(await house.op('users.me', String(other['key'])))

  await house.database.across.query(sql`update memberships set role = 'member' where user_id = ${admin.id}`)
  await assert.rejects(house.op('api_keys.revoke', admin.token, { key_id: made['id'] }), problem('forbidden'))
  const ended = await house.op('api_keys.revoke', key, { key_id: String(made['id']).toUpperCase() })
  assert.deepEqual(ended, { ok: true, id: made['id'] })
  for (const token of [key, String(body['access_token'])]) {
    await assert.rejects(house.op('users.me', token), problem('unauthenticated'))
  }
})
