import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { limits } from '@swath/contract/limits.ts'
import { sql } from '../../platform/database/sql.ts'
import { newId } from '../../platform/ids.ts'
import {
  adminEmail,
  adminPassword,
  startIdentityTestApp,
  rejectedWith,
  type IdentityTestApp,
} from '../../../test/identity-test-app.ts'
import { toSlug } from './organization.ts'

let app: IdentityTestApp
before(async () => {
  app = await startIdentityTestApp()
})
after(() => app.close())

const create = (token: string, input: object) => app.callOperation('organizations.create', token, input)
const add = (token: string, input: object) => app.callOperation('organizations.members.add', token, input)

test('a slug has only ASCII letters, digits and hyphens for any name', () => {
  assert.equal(toSlug('  Große Öko–Kartierung & Söhne '), 'gro-e-oko-kartierung-sohne')
  assert.equal(toSlug('—'), 'organization')
  assert.equal(toSlug('地図'), 'organization')
  assert.equal(toSlug('a'.repeat(300)).length, 60)
})

test('a user without an organization creates one and owns it, with the same token', async () => {
  const person = await app.createOutsider()
  assert.equal((await app.callOperation('users.me', person.token))['organization'], null)
  const created = await create(person.token, { name: 'Reef Watch', country: 'AU', billing_address: { city: 'Cairns' } })
  assert.deepEqual(created, {
    id: created['id'],
    name: 'Reef Watch',
    slug: 'reef-watch',
    enterprise_billing: false,
    sandbox: false,
  })
  const { organization } = (await app.callOperation('users.me', person.token)) as {
    organization: Record<string, unknown>
  }
  assert.deepEqual(organization, { ...created, plan: 'free', role: 'owner', delete_at: null })
  await create(person.token, { name: 'A second one' })
  assert.equal(
    ((await app.callOperation('users.me', person.token)) as { organization: { id: unknown } }).organization.id,
    created['id'],
    'the token names the first one',
  )

  const other = await app.createOutsider()
  const second = await create(other.token, { name: 'Reef watch!' })
  assert.match(String(second['slug']), /^reef-watch-[0-9a-z]{6}$/)
})

test('a user who creates two organizations at once owns both, and the first is the one of the token', async () => {
  const person = await app.createOutsider()
  const created = await Promise.all([create(person.token, { name: 'A' }), create(person.token, { name: 'B' })])
  const { organizations } = (await app.callOperation('users.organizations.list', person.token)) as {
    organizations: { id: string; current: boolean; default: boolean; role: string }[]
  }
  assert.deepEqual(organizations.map(({ id }) => id).sort(), created.map(({ id }) => id).sort())
  const current = organizations.filter((organization) => organization.current)
  assert.deepEqual(
    current.map((organization) => [organization.default, organization.role]),
    [[true, 'owner']],
  )
})

test('refuses more organizations of one user than the limit', async () => {
  const person = await app.createFounder()
  await app.database.unscoped.query(sql`
    insert into user_organizations (user_id, organization_id, joined_at)
    select ${person.id}, gen_random_uuid(), ${app.clock.now()}::timestamptz
    from generate_series(2, ${limits.max_user_organizations}::integer)`)
  await assert.rejects(create(person.token, { name: 'One too many' }), rejectedWith('invalid-state'))
})

test('enterprise_billing needs an administrator, who can name another user as the owner', async () => {
  const person = await app.createOutsider()
  await assert.rejects(create(person.token, { name: 'Big', enterprise_billing: true }), rejectedWith('forbidden'))
  const { access_token } = await app.signIn(adminEmail, adminPassword)
  const input = { name: 'Big', enterprise_billing: true, billing_admin_id: person.id }
  assert.equal((await create(access_token, input))['enterprise_billing'], true)
  const { organization } = (await app.callOperation('users.me', person.token)) as {
    organization: Record<string, unknown>
  }
  assert.equal(organization['plan'], 'enterprise')
  assert.equal(organization['role'], 'owner')
  const third = await app.createOutsider()
  await assert.rejects(create(third.token, { name: 'x', billing_admin_id: person.id }), rejectedWith('forbidden'))
})

test('an administrator creates an organization and adds its owner with a one-time password', async () => {
  const { access_token } = await app.signIn(adminEmail, adminPassword)
  const { id } = await create(access_token, { name: 'For others' })
  const added = await add(access_token, { organization_id: id, email: 'owner@others.example', role: 'owner' })
  const tokens = await app.signIn('owner@others.example', String(added['one_time_password']))
  const me = (await app.callOperation('users.me', tokens.access_token)) as { organization: Record<string, unknown> }
  assert.equal(me.organization['id'], id)
  assert.equal(me.organization['role'], 'owner')
  await assert.rejects(
    add(access_token, { organization_id: newId(), email: 'z@example.org' }),
    rejectedWith('not-found'),
  )
  const otherOwner = await app.createFounder()
  await assert.rejects(
    add(otherOwner.token, { organization_id: id, email: 'z@example.org' }),
    rejectedWith('not-found'),
    'an owner of one organization cannot add members to another',
  )
})

test('owners and admins add users, who sign in with the one-time password', async () => {
  const owner = await app.createFounder()
  const admin = await app.addMember(owner.token, 'admin')
  const added = await add(admin.token, { email: 'New.Person@example.org', name: 'New' })
  const { member, one_time_password } = added as { member: Record<string, unknown>; one_time_password: string }
  assert.equal(member['role'], 'member')
  assert.equal(member['email'], 'New.Person@example.org')
  const tokens = await app.signIn('new.person@example.org', one_time_password)
  const me = (await app.callOperation('users.me', tokens.access_token)) as {
    organization: { id: string; role: string }
  }
  assert.equal(me.organization.id, owner.organization)
  assert.equal(me.organization.role, 'member')

  await assert.rejects(add(tokens.access_token, { email: 'x@example.org' }), rejectedWith('forbidden'))
  await assert.rejects(add(admin.token, { email: 'x@example.org', role: 'owner' }), rejectedWith('forbidden'))
  await assert.rejects(add(admin.token, { email: 'x@example.org', role: 'emperor' }), rejectedWith('validation'))
  await assert.rejects(add(admin.token, { email: 'not an address' }), rejectedWith('validation'))
  await assert.rejects(add(admin.token, { email: 'NEW.person@example.org' }), rejectedWith('name-taken'))
  await assert.rejects(add(owner.token, { email: adminEmail }), rejectedWith('name-taken'), 'in another organization')
  await assert.rejects(
    add(owner.token, { email: 'y@example.org', organization_id: newId() }),
    rejectedWith('not-found'),
  )
  const own = { email: 'y@example.org', organization_id: owner.organization.toUpperCase() }
  assert.ok(await add(owner.token, own))
})

test('an existing user without an organization is added by an operator, keeps the password, and is invited by others', async () => {
  const owner = await app.createFounder()
  const person = await app.createOutsider()
  const input = { email: person.email, role: 'billing' }
  await assert.rejects(add(owner.token, input), rejectedWith('name-taken'))
  const { access_token: operator } = await app.signIn(adminEmail, adminPassword)
  const added = await add(operator, { ...input, organization_id: owner.organization })
  assert.equal(added['one_time_password'], null)
  const me = (await app.callOperation('users.me', person.token)) as { organization: { id: string; role: string } }
  assert.deepEqual([me.organization.id, me.organization.role], [owner.organization, 'billing'])
})

test('an API key creates no organization and adds no member, even one of an owner or exchanged for a token', async () => {
  const owner = await app.createFounder()
  const created = await app.callOperation('api_keys.create', owner.token, { name: 'k', permissions: ['can_write'] })
  const key = String(created['key'])
  const exchange = { grant_type: 'client_credentials', client_id: 'swath', client_secret: key }
  const { body } = await app.postForm('token', exchange)
  const email = `${newId()}@example.org`
  for (const credentials of [
    { authorization: `Bearer ${key}` },
    { apiKey: key },
    { authorization: `Bearer ${String(body['access_token'])}` },
  ]) {
    await assert.rejects(
      app.callOperationWith('organizations.create', credentials, { name: 'x' }),
      rejectedWith('user-required'),
    )
    for (const role of ['owner', 'admin', 'billing', 'member']) {
      const request = app.callOperationWith('organizations.members.add', credentials, { email, role })
      await assert.rejects(request, rejectedWith('user-required'), role)
    }
  }
  const added = await add(owner.token, { email })
  assert.notEqual(added['one_time_password'], null, 'the email is still free')
})
