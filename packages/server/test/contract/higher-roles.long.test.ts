import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createClient, type Client } from '@swath/client/client.ts'
import type { Operation } from '@swath/contract/operation.ts'
import { operationRegistry } from '@swath/contract/registry.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { newId } from '../../src/platform/ids.ts'
import { startTestApp, type TestApp } from '../test-app.ts'
import { createTestOrganization, type TestOrganization, type TestUser } from '../test-organizations.ts'
import { eventually } from '../webhooks/delivery-client.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ background: { poll_s: 0.05 } })
})
after(() => app?.close())

interface Subject extends TestUser {
  readonly organization: TestOrganization
  readonly role: 'owner' | 'admin'
}

/** Creates what an operation acts on, and returns the input that names it; of a disabled subject it exists before. */
type InputFactory = (subject: Subject) => Promise<Record<string, unknown>>

const endpoint_url = 'swath://inbox'

const subscribe = async (client: Client): Promise<{ subscription_id: string }> => {
  const { id } = await client.call<{ id: string }>('event_subscriptions.create', {
    event_type: 'collection.created',
    endpoint_url,
  })
  return { subscription_id: id }
}

const createKey = (client: Client): Promise<{ id: string; key: string }> =>
  client.call('api_keys.create', { name: 'k', permissions: ['can_write'] })

const createWebhook = async ({ client, organization }: Subject) => {
  const workspace_id = organization.project
  const input = { workspace_id, name: 'w', url: endpoint_url, events: ['job.status'] }
  return { workspace_id, webhook_id: (await client.call<{ id: string }>('webhooks.create', input)).id }
}

async function createDelivery({ client, organization }: Subject): Promise<{ delivery_id: string }> {
  const { subscription_id } = await subscribe(client)
  await client.call('collections.create', { project_id: organization.project, name: newId() })
  const list = () =>
    client.call<{ deliveries: { id: string; state: string }[] }>('event_subscriptions.deliveries.list', {
      subscription_id,
    })
  const find = async () => (await list()).deliveries.find(({ state }) => state === 'succeeded')
  return { delivery_id: (await eventually(find, 'the delivery')).id }
}

async function createOAuthClient({ client }: Subject): Promise<{ client_id: string }> {
  const input = { name: 'C', type: 'confidential', scopes: ['items:read'], grants: ['client_credentials'] }
  return {
    client_id: (await client.call<{ client: { client_id: string } }>('oauth_clients.create', input)).client.client_id,
  }
}

/** Something that has stopped although who created it is there: the key that created it was revoked. */
async function createStopped({ client }: Subject) {
  const { id: key_id, key } = await createKey(client)
  const { subscription_id } = await subscribe(createClient({ baseUrl: app.url, token: key }))
  await client.call('api_keys.revoke', { key_id })
  return { kind: 'event_subscription', delegation_id: subscription_id }
}

/** An invitation with the role of the subject, whose e-mail counts as sent a while ago. */
async function createInvitation({ organization, role }: Subject) {
  const input = { email: `${newId()}@example.org`, role }
  const { invitation } = await organization.owner.client.call<{ invitation: { id: string; created_at: string } }>(
    'organizations.invitations.create',
    input,
  )
  // A resend would be too soon otherwise.
  const sent_at = new Date(Date.parse(invitation.created_at) - 3_600_000)
  await app.database.unscoped.query(sql`
    update invitations set sent_at = ${sent_at} where id = ${invitation.id}`)
  return { invitation_id: invitation.id }
}

/** Another member with the role of the subject. */
async function addSameRole({ organization: { owner }, role }: Subject): Promise<{ user_id: string }> {
  const { member } = await owner.client.call<{ member: { user_id: string } }>('organizations.members.add', {
    email: `${newId()}@example.org`,
    role,
  })
  return { user_id: member.user_id }
}

/** The inputs of the operations that act on members of the organization. */
const inputs: Readonly<Record<string, InputFactory>> = {
  'api_keys.revoke': async ({ client }) => ({ key_id: (await createKey(client)).id }),
  'event_subscriptions.delete': ({ client }) => subscribe(client),
  'event_subscriptions.deliveries.redeliver': createDelivery,
  'event_subscriptions.deliveries.replay_window': async ({ client }) => ({
    ...(await subscribe(client)),
    since: new Date(app.clock.now().getTime() - 1000).toISOString(),
  }),
  'event_subscriptions.rotate_secret': ({ client }) => subscribe(client),
  'event_subscriptions.test': ({ client }) => subscribe(client),
  'event_subscriptions.update': async ({ client }) => ({ ...(await subscribe(client)), description: 'changed' }),
  'oauth_clients.delete': createOAuthClient,
  'oauth_clients.rotate_secret': createOAuthClient,
  'oauth_clients.update': createOAuthClient,
  'organizations.delegations.take_over': createStopped,
  'organizations.invitations.create': async ({ role }) => ({ email: `${newId()}@example.org`, role }),
  'organizations.invitations.resend': createInvitation,
  'organizations.invitations.revoke': createInvitation,
  'organizations.members.remove': addSameRole,
  'organizations.members.set_projects': async (subject) => ({ ...(await addSameRole(subject)), projects: [] }),
  'organizations.members.set_role': async (subject) => ({ ...(await addSameRole(subject)), role: 'member' }),
  'organizations.transfer_ownership': addSameRole,
  'organizations.tokens.revoke': async ({ client }) => {
    const input = { name: 'Token', scopes: ['items:read'], expires_in_days: 1 }
    return { token_id: (await client.call<{ id: string }>('users.tokens.create', input)).id }
  },
  'organizations.members.add': async ({ role }) => ({ email: `${newId()}@example.org`, role }),
  'organizations.members.set_spend_limit': async ({ user, organization: { organization: organizationId } }) => ({
    organizationId,
    userId: user,
    spendLimitCredits: 1,
    perOrderLimitCredits: null,
  }),
  'webhooks.delete': createWebhook,
  'webhooks.test': createWebhook,
  'webhooks.update': async (subject) => ({
    ...(await createWebhook(subject)),
    name: 'changed',
    url: endpoint_url,
    events: ['job.status'],
    active: true,
  }),
}

/** Grants a role, which a user who is gone does not change, or acts on another member than the one who is gone. */
const granting = new Set([
  'organizations.invitations.create',
  'organizations.invitations.resend',
  'organizations.invitations.revoke',
  'organizations.members.add',
  'organizations.members.remove',
  'organizations.members.set_projects',
  'organizations.members.set_role',
  'organizations.transfer_ownership',
])

/** For owners alone, who hand over to somebody who is none. */
const ownersOnly = new Set(['organizations.transfer_ownership'])

const actingOn = (subject: Operation['acts_on']): Operation[] =>
  operationRegistry.filter(({ acts_on }) => acts_on === subject)

/** The status of a call, and the name of the problem if it is one. */
async function callRaw(client: Client, id: string, input: object): Promise<string> {
  const response = await client.fetch(`/v1/op/${id}`, { method: 'POST', body: JSON.stringify(input) })
  if (response.ok) return 'ok'
  const { type } = (await response.json()) as { type: string }
  return type.slice(type.lastIndexOf('/') + 1)
}

test('every operation that acts on members is tried', () => {
  assert.deepEqual(
    actingOn('member').map(({ id }) => id),
    Object.keys(inputs).sort(),
  )
})

/** What names a member, or what one of the organization has and no project. */
const memberFields = ['user_id', 'userId', 'key_id', 'subscription_id', 'webhook_id', 'delivery_id', 'delegation_id']

test('every operation that changes what belongs to a member says that it acts on members', () => {
  const changing = operationRegistry.filter(({ effect, scope, input }) => {
    const fields = Object.keys((input as { properties?: object }).properties ?? {})
    return effect !== 'read' && !scope?.startsWith('admin:') && fields.some((field) => memberFields.includes(field))
  })
  assert.ok(changing.length > 10)
  assert.deepEqual(
    changing.filter(({ acts_on }) => acts_on === null).map(({ id }) => id),
    [],
  )
})

test('an admin acts on what another admin has, and on nothing that the owner has', async () => {
  const organization = await createTestOrganization(app)
  const [admin, other] = [await organization.addMember('admin'), await organization.addMember('admin')]
  for (const { id } of actingOn('member').filter((operation) => !ownersOnly.has(operation.id))) {
    const ofOwner = await inputs[id]!({ ...organization.owner, organization, role: 'owner' })
    assert.equal(await callRaw(admin.client, id, ofOwner), 'forbidden', id)
    assert.equal(await callRaw(organization.owner.client, id, ofOwner), 'ok', `${id} by the owner`)
    const ofAdmin = await inputs[id]!({ ...other, organization, role: 'admin' })
    assert.equal(await callRaw(admin.client, id, ofAdmin), 'ok', `${id} on an admin`)
  }
})

test('an admin acts on what an owner has left who was disabled, and an operator adds another owner', async () => {
  const organization = await createTestOrganization(app)
  const admin = await organization.addMember('admin')
  const { user, client } = organization.owner
  const left = actingOn('member').filter(({ id }) => !granting.has(id))
  const prepared = new Map<string, Record<string, unknown>>()
  for (const { id } of left) prepared.set(id, await inputs[id]!({ ...organization.owner, organization, role: 'owner' }))
  await app.admin.call('admin.users.disable', { user_id: user, reason: 'test' })
  for (const [id, input] of prepared) assert.equal(await callRaw(admin.client, id, input), 'ok', id)
  const grant = { email: `${newId()}@example.org`, role: 'owner' }
  assert.equal(await callRaw(admin.client, 'organizations.members.add', grant), 'forbidden')
  const { member, one_time_password } = await app.admin.call<{ member: { role: string }; one_time_password: string }>(
    'organizations.members.add',
    { ...grant, organization_id: organization.organization },
  )
  assert.equal(member.role, 'owner')
  const next = app.createClientFor(grant.email, one_time_password)
  assert.equal(await callRaw(next, 'billing.set_daily_topup_limit', { daily_topup_limit_aud: 20_000 }), 'ok')
  await assert.rejects(client.call('users.me'), { status: 401 })
})

/** The inputs of the operations that act on members of a project, of whom the user is one. */
const projectInputs: Readonly<Record<string, (project_id: string, user_id: string) => object>> = {
  'projects.add_member': (project_id, user_id) => ({ project_id, user_id, role: 'owner' }),
  'projects.remove_member': (project_id, user_id) => ({ project_id, user_id }),
  'projects.update_member': (project_id, user_id) => ({ project_id, user_id, role: 'viewer' }),
}

test('an admin of a project acts on no owner of it, and makes none', async () => {
  const organization = await createTestOrganization(app)
  const { owner, project: project_id } = organization
  const users = await Promise.all(['member', 'member', 'member'].map(() => organization.addMember('member')))
  const [projectOwner, projectAdmin, outsider] = users as [TestUser, TestUser, TestUser]
  for (const [{ user: user_id }, role] of [
    [projectOwner, 'owner'],
    [projectAdmin, 'admin'],
  ] as const)
    // prettier-ignore
    await owner.client.call('projects.add_member', { project_id, user_id, role })
  assert.deepEqual(
    actingOn('project-member').map(({ id }) => id),
    Object.keys(projectInputs).sort(),
  )
  for (const { id } of actingOn('project-member')) {
    const { user } = id === 'projects.add_member' ? outsider : projectOwner
    assert.equal(await callRaw(projectAdmin.client, id, projectInputs[id]!(project_id, user)), 'forbidden', id)
  }
  for (const { id } of actingOn('project-member')) {
    const { user } = id === 'projects.update_member' ? projectOwner : outsider
    assert.equal(await callRaw(projectOwner.client, id, projectInputs[id]!(project_id, user)), 'ok', id)
  }
})
