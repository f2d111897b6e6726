import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { newId } from '../../platform/ids.ts'
import { adminEmail, adminPassword, openPeopleHouse, problem, type PeopleHouse } from '../../../test/identity-setup.ts'
import { slugOf } from './organization.ts'

let house: PeopleHouse
before(async () => {
  house = await openPeopleHouse()
})
after(() => house.close())

const found = (token: string, input: object) => house.op('organizations.create', token, input)
const add = (token: string, input: object) => house.op('organizations.members.add', token, input)

test('a slug has only ASCII letters, digits and hyphens for any name', () => {
  assert.equal(slugOf('  Große Öko–Kartierung & Söhne '), 'gro-e-oko-kartierung-sohne')
  assert.equal(slugOf('—'), 'organization')
  assert.equal(slugOf('地図'), 'organization')
  assert.equal(slugOf('a'.repeat(300)).length, 60)
})

test('a user without an organization creates one and owns it, with the same token', async () => {
  const person = await house.stranger()
  assert.equal((await house.op('users.me', person.token))['organization'], null)
  const made = await found(person.token, { name: 'Reef Watch', country: 'AU', billing_address: { city: 'Cairns' } })
  assert.deepEqual(made, { id: made['id'], name: 'Reef Watch', slug: 'reef-watch', enterprise_billing: false })
  const { organization } = (await house.op('users.me', person.token)) as { organization: Record<string, unknown> }
  assert.deepEqual(organization, { ...made, plan: 'free', role: 'owner' })
  await assert.rejects(found(person.token, { name: 'A second one' }), problem('invalid-state'))

  const other = await house.stranger()
  const twin = await found(other.token, { name: 'Reef watch!' })
  assert.match(String(twin['slug']), /^reef-watch-[0-9a-z]{6}$/)
})

test('a user who creates two organizations at once gets one', async () => {
  const person = await house.stranger()
  const outcomes = await Promise.allSettled([found(person.token, { name: 'A' }), found(person.token, { name: 'B' })])
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
})

test('enterprise_billing needs an administrator, who can name another user as the owner', async () => {
  const person = await house.stranger()
  await assert.rejects(found(person.token, { name: 'Big', enterprise_billing: true }), problem('forbidden'))
  const { access_token } = await house.signIn(adminEmail, adminPassword)
  const terms = { name: 'Big', enterprise_billing: true, billing_admin_id: person.id }
  assert.equal((await found(access_token, terms))['enterprise_billing'], true)
  const { organization } = (await house.op('users.me', person.token)) as { organization: Record<string, unknown> }
  assert.equal(organization['plan'], 'enterprise')
  assert.equal(organization['role'], 'owner')
  const third = await house.stranger()
  await assert.rejects(found(third.token, { name: 'x', billing_admin_id: person.id }), problem('forbidden'))
})

test('an administrator creates an organization and adds its owner with a one-time password', async () => {
  const { access_token } = await house.signIn(adminEmail, adminPassword)
  const { id } = await found(access_token, { name: 'For others' })
  const added = await add(access_token, { organization_id: id, email: 'owner@others.example', role: 'owner' })
  const tokens = await house.signIn('owner@others.example', String(added['one_time_password']))
  const me = (await house.op('users.me', tokens.access_token)) as { organization: Record<string, unknown> }
  assert.equal(me.organization['id'], id)
  assert.equal(me.organization['role'], 'owner')
  await assert.rejects(add(access_token, { organization_id: newId(), email: 'z@example.org' }), problem('not-found'))
  const stranger = await house.founder()
  await assert.rejects(
    add(stranger.token, { organization_id: id, email: 'z@example.org' }),
    problem('not-found'),
    'an owner of one organization cannot add members to another',
  )
})

test('owners and admins add users, who sign in with the one-time password', async () => {
  const owner = await house.founder()
  const admin = await house.member(owner.token, 'admin')
  const added = await add(admin.token, { email: 'New.Person@example.org', name: 'New' })
  const { member, one_time_password } = added as { member: Record<string, unknown>; one_time_password: string }
  assert.equal(member['role'], 'member')
  assert.equal(member['email'], 'New.Person@example.org')
  const tokens = await house.signIn('new.person@example.org', one_time_password)
  const me = (await house.op('users.me', tokens.access_token)) as { organization: { id: string; role: string } }
  assert.equal(me.organization.id, owner.organization)
  assert.equal(me.organization.role, 'member')

  await assert.rejects(add(tokens.access_token, { email: 'x@example.org' }), problem('forbidden'))
  await assert.rejects(add(admin.token, { email: 'x@example.org', role: 'owner' }), problem('forbidden'))
  await assert.rejects(add(admin.token, { email: 'x@example.org', role: 'emperor' }), problem('validation'))
  await assert.rejects(add(admin.token, { email: 'not an address' }), problem('validation'))
  await assert.rejects(add(admin.token, { email: 'NEW.person@example.org' }), problem('name-taken'))
  await assert.rejects(add(owner.token, { email: adminEmail }), problem('name-taken'), 'in another organization')
  await assert.rejects(add(owner.token, { email: 'y@example.org', organization_id: newId() }), problem('not-found'))
  const own = { email: 'y@example.org', organization_id: owner.organization.toUpperCase() }
  assert.ok(await add(owner.token, own))
})

test('an existing user without an organization joins and keeps the password', async () => {
  const owner = await house.founder()
  const person = await house.stranger()
  assert.equal((await add(owner.token, { email: person.email, role: 'billing' }))['one_time_password'], null)
  const me = (await house.op('users.me', person.token)) as { organization: { id: string; role: string } }
  assert.deepEqual([me.organization.id, me.organization.role], [owner.organization, 'billing'])
})

test('an API key creates no organization and adds no member, even one of an owner or exchanged for a token', async () => {
  const owner = await house.founder()
  const made = await house.op('api_keys.create', owner.token, { name: 'k', permissions: ['can_write'] })
  const key = String(made['key'])
  const exchange = { grant_type: 'client_credentials', client_id: 'swath', client_secret: key }
  const { body } = await house.form('token', exchange)
  const email = `${newId()}@example.org`
  for (const credentials of [
    { authorization: `Bearer ${key}` },
    { apiKey: key },
    { authorization: `Bearer ${String(body['access_token'])}` },
  ]) {
    await assert.rejects(house.opWith('organizations.create', credentials, { name: 'x' }), problem('user-required'))
    for (const role of ['owner', 'admin', 'billing', 'member']) {
      const act = house.opWith('organizations.members.add', credentials, { email, role })
      await assert.rejects(act, problem('user-required'), role)
    }
  }
  const added = await add(owner.token, { email })
  assert.notEqual(added['one_time_password'], null, 'the email is still free')
})
