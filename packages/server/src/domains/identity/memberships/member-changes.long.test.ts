import assert from 'node:assert/strict'
import { problemOf } from '../../../../test/call-operation.ts'
import { after, before, test } from 'node:test'
import { createClient, type Client } from '@swath/client/client.ts'
import { assertEventually, startTestApp, type TestApp } from '../../../../test/test-app.ts'
import { createTestOrganization, type TestOrganization, type TestUser } from '../../../../test/test-organizations.ts'
import { sql } from '../../../platform/database/sql.ts'
import { newId } from '../../../platform/ids.ts'

let app: TestApp
let org: TestOrganization
before(async () => {
  app = await startTestApp()
  org = await createTestOrganization(app)
})
after(() => app?.close())

const rolesOf = async ({ organization }: TestOrganization): Promise<Record<string, string>> =>
  Object.fromEntries(
    (
      await app.database.unscoped.query<{ user_id: string; role: string }>(sql`
        select user_id, role from memberships where organization_id = ${organization}`)
    ).map(({ user_id, role }) => [user_id, role]),
  )

const setRole = (client: Client, user_id: string, role: string) =>
  client.call('organizations.members.set_role', { user_id, role })

/** Tokens of a user for an organization. */
async function signIn({ email, password }: TestUser, organization_id?: string) {
  const response = await fetch(`${app.url}/realms/public/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'password',
      username: email,
      password,
      ...(organization_id === undefined ? {} : { organization_id }),
    }),
  })
  return { status: response.status, tokens: (await response.json()) as Record<string, string> }
}

const statusOf = async (token: string): Promise<number> =>
  (await createClient({ baseUrl: app.url, token }).fetch('/v1/op/users.me', { method: 'POST', body: '{}' })).status

test('an owner changes roles, which hold at once, and an admin nobody of a higher role', async () => {
  const [admin, member] = [await org.addMember('admin'), await org.addMember('member')]
  assert.equal(await problemOf(member.client.call('organizations.members.list', {})), 'forbidden')
  await setRole(org.owner.client, member.user, 'admin')
  assert.equal(await problemOf(member.client.call('organizations.members.list', {})), 'ok')
  assert.equal(await problemOf(setRole(admin.client, org.owner.user, 'member')), 'forbidden')
  assert.equal(await problemOf(setRole(admin.client, member.user, 'owner')), 'forbidden')
  assert.equal(await problemOf(setRole(admin.client, member.user, 'billing')), 'ok')
  assert.equal((await rolesOf(org))[member.user], 'billing')
  assert.equal(await problemOf(setRole(org.owner.client, org.owner.user, 'admin')), 'invalid-state')
})

test('of two owners who leave at once, one stays', async () => {
  for (let round = 0; round < 3; round++) {
    const organization = await createTestOrganization(app, 0)
    const second = await organization.addMember('admin')
    await setRole(organization.owner.client, second.user, 'owner')
    const outcomes = await Promise.all(
      [organization.owner, second].map(({ client }) => problemOf(client.call('organizations.leave', {}))),
    )
    assert.deepEqual(outcomes.sort(), ['invalid-state', 'ok'])
    assert.deepEqual(Object.values(await rolesOf(organization)), ['owner'])
  }
})

test('of two owners who demote each other at once, one stays an owner', async () => {
  const organization = await createTestOrganization(app, 0)
  const second = await organization.addMember('admin')
  await setRole(organization.owner.client, second.user, 'owner')
  const { owner } = organization
  await Promise.all([
    problemOf(setRole(owner.client, second.user, 'member')),
    problemOf(setRole(second.client, owner.user, 'member')),
  ])
  assert.deepEqual(Object.values(await rolesOf(organization)).sort(), ['member', 'owner'])
})

test('an owner hands the organization over once, and becomes an admin', async () => {
  const organization = await createTestOrganization(app, 0)
  const [first, second] = [await organization.addMember('member'), await organization.addMember('member')]
  const { owner } = organization
  const transfer = (user_id: string) => owner.client.call('organizations.transfer_ownership', { user_id })
  assert.equal(await problemOf(transfer(newId())), 'not-found')
  assert.equal(await problemOf(transfer(owner.user)), 'invalid-state')
  const outcomes = await Promise.all([problemOf(transfer(first.user)), problemOf(transfer(second.user))])
  assert.equal(outcomes.filter((outcome) => outcome === 'ok').length, 1)
  const roles = await rolesOf(organization)
  assert.equal(roles[owner.user], 'admin')
  assert.deepEqual(Object.values(roles).sort(), ['admin', 'member', 'owner'])
})

test('a removed member loses sessions, projects and what acted in this organization alone', async () => {
  const member = await org.addMember('admin')
  const { id: own } = await member.client.call<{ id: string }>('organizations.create', { name: 'Of the member' })
  await org.owner.client.call('projects.add_member', { project_id: org.project, user_id: member.user, role: 'editor' })
  const { id: key_id, key } = await member.client.call<{ id: string; key: string }>('api_keys.create', {
    name: 'k',
    permissions: ['can_read'],
  })
  const [here, there] = [await signIn(member, org.organization), await signIn(member, own)]
  assert.equal(await statusOf(here.tokens['access_token']!), 200)

  await org.owner.client.call('organizations.members.remove', { user_id: member.user })
  await assertEventually(async () => assert.equal(await statusOf(here.tokens['access_token']!), 401))
  assert.equal(await statusOf(key), 401)
  assert.equal(await statusOf(there.tokens['access_token']!), 200)
  assert.equal((await signIn(member, org.organization)).status, 400)
  const again = await signIn(member)
  const me = await createClient({ baseUrl: app.url, token: again.tokens['access_token']! }).call('users.me', {})
  assert.equal(me.organization?.id, own, 'the default is another organization now')

  const rows = await app.database.unscoped.query(sql`
    select 1 as one from project_members where organization_id = ${org.organization} and user_id = ${member.user}`)
  assert.equal(rows.length, 0)
  const { delegations } = await org.owner.client.call<{ delegations: { id: string; stop_reason: string }[] }>(
    'organizations.delegations.list',
    {},
  )
  assert.equal(delegations.find(({ id }) => id === key_id)?.stop_reason, 'user_left')
  const kinds = await app.database.unscoped.query<{ kind: string }>(sql`
    select kind from events where organization_id = ${org.organization}
      and (entity_id = ${member.user} or kind = 'organization.delegations_stopped')`)
  assert.deepEqual(
    ['member.removed', 'organization.delegations_stopped'].filter((kind) => !kinds.some((row) => row.kind === kind)),
    [],
  )
})

test('a member who leaves the only organization has none, and is added again by an operator alone', async () => {
  const member = await org.addMember('member')
  await member.client.call('organizations.leave', {})
  const tokens = (await signIn(member)).tokens
  const me = await createClient({ baseUrl: app.url, token: tokens['access_token']! }).call('users.me', {})
  assert.equal(me.organization, null)
  const again = { email: member.email, role: 'member', organization_id: org.organization } as const
  assert.equal(await problemOf(org.owner.client.call('organizations.members.add', again)), 'name-taken')
  await app.admin.call('organizations.members.add', again)
  assert.equal((await rolesOf(org))[member.user], 'member')
})

test('an admin removes a disabled owner even if there is no other, and never an owner who can act', async () => {
  const organization = await createTestOrganization(app, 0)
  const admin = await organization.addMember('admin')
  const remove = () =>
    problemOf(admin.client.call('organizations.members.remove', { user_id: organization.owner.user }))
  assert.equal(await remove(), 'forbidden')
  await app.admin.call('admin.users.disable', { user_id: organization.owner.user, reason: 'test' })
  assert.equal(await remove(), 'ok')
})

test('all project memberships of a member are replaced at once, or none', async () => {
  const member = await org.addMember('member')
  const [first, second] = [
    org.project,
    (await org.owner.client.call<{ id: string }>('projects.create', { name: newId() })).id,
  ]
  const setProjects = (projects: readonly object[]) =>
    org.owner.client.call('organizations.members.set_projects', { user_id: member.user, projects })
  const read = async () =>
    (await member.client.call<{ projects: { id: string }[] }>('projects.list', {})).projects.map(({ id }) => id).sort()
  await setProjects([{ project_id: first, role: 'viewer' }])
  assert.deepEqual(await read(), [first])
  assert.equal(await problemOf(setProjects([{ project_id: second }, { project_id: newId() }])), 'not-found')
  assert.equal(await problemOf(setProjects([{ project_id: second }, { project_id: second }])), 'validation')
  assert.deepEqual(await read(), [first])
  assert.deepEqual(await setProjects([{ project_id: second, role: 'member' }]), {
    user_id: member.user,
    projects: [{ project_id: second, role: 'editor' }],
  })
  assert.deepEqual(await read(), [second])
  await setProjects([])
  assert.deepEqual(await read(), [])

  const third = await org.owner.client.call<{ id: string }>('projects.create', { name: newId() })
  await org.owner.client.call('projects.archive', { project_id: third.id })
  assert.equal(await problemOf(setProjects([{ project_id: third.id }])), 'invalid-state')
  await org.owner.client.call('projects.archive', { project_id: third.id, is_archived: false })
  assert.equal(await problemOf(setProjects([{ project_id: third.id }])), 'ok')
})

test('members and projects of another organization are as unknown', async () => {
  const theirs = await createTestOrganization(app, 0)
  const member = await org.addMember('member')
  for (const user_id of [theirs.owner.user, newId()]) {
    const inputs = {
      'organizations.members.remove': { user_id },
      'organizations.members.set_role': { user_id, role: 'member' },
      'organizations.members.set_projects': { user_id, projects: [] },
      'organizations.transfer_ownership': { user_id },
    }
    for (const [operation, input] of Object.entries(inputs))
      await assert.rejects(org.owner.client.call(operation, input), { status: 404 }, operation)
  }
  const projects = [{ project_id: theirs.project }]
  await assert.rejects(
    org.owner.client.call('organizations.members.set_projects', { user_id: member.user, projects }),
    { status: 404 },
  )
})

test('an organization that was to be closed is kept, and an archived project comes back', async () => {
  const organization = await createTestOrganization(app, 0)
  const { client } = organization.owner
  await client.call('organizations.delete', {})
  assert.notEqual((await client.call('users.me', {})).organization?.delete_at, null)
  const listed = await client.call<{ organizations: { delete_at: string | null }[] }>('users.organizations.list', {})
  assert.notEqual(listed.organizations[0]?.delete_at, null)
  await client.call('organizations.restore', {})
  assert.equal((await client.call('users.me', {})).organization?.delete_at, null)
})
