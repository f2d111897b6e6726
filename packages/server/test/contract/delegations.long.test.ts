import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient, type Client } from '@swath/client/client.ts'
import { delegationKinds, type Delegation, type DelegationKind } from '@swath/contract/delegations.ts'
import { backgroundTaskTypes } from '../../src/engine/task-types.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { newId } from '../../src/platform/ids.ts'
import { startTestApp, type TestApp } from '../test-app.ts'
import { createTestOrganization, type TestOrganization, type TestUser } from '../test-organizations.ts'

let app: TestApp
before(async () => {
  app = await startTestApp()
})
after(() => app?.close())

interface CreatedDelegation {
  readonly id: string
  /** True while it acts for who created it; null for what acts in the background only. */
  isActing: (() => Promise<boolean>) | null
}

interface Creator {
  readonly client: Client
  readonly organization: TestOrganization
}

const password = 'a password for visitors'
const create = (client: Client, id: string, input: object) => client.call<Record<string, string>>(id, input)

/** Says whether an event of a kind is delivered to a new subscription of it. */
async function isDelivered({ organization }: Creator, subscription_id: string): Promise<boolean> {
  const count = async () => {
    const [row] = await app.database.unscoped.query<{ count: number }>(sql`
      select count(*)::int as count from event_deliveries
      where organization_id = ${organization.organization} and subscription_id = ${subscription_id}`)
    return row!.count
  }
  const before = await count()
  await create(organization.owner.client, 'collections.create', { project_id: organization.project, name: newId() })
  return (await count()) > before
}

/** Creates a delegation of each kind, with a function that tries it. */
const creators: Readonly<Record<DelegationKind, (creator: Creator) => Promise<CreatedDelegation>>> = {
  api_key: async ({ client }) => {
    const { id, key } = await create(client, 'api_keys.create', { name: 'k', permissions: ['can_read'] })
    const isActing = async () =>
      (await createClient({ baseUrl: app.url, token: key! }).fetch('/v1/op/users.me', { method: 'POST', body: '{}' }))
        .ok
    return { id: id!, isActing }
  },
  tile_token: async ({ client, organization: { project: project_id } }) => {
    const collection = await create(client, 'collections.create', { project_id, name: newId() })
    const { id, token } = await create(client, 'items.tile.token.create', { collection_id: collection.id, name: 't' })
    // An item that is not there: 404 for a token that acts, and 401 for any other.
    const url = `${app.url}/api/v1/items/${newId()}/tiles/1/1/1.png?key=${token}`
    return { id: id!, isActing: async () => (await fetch(url)).status === 404 }
  },
  share_link: async ({ client, organization: { project: project_id } }) => {
    const { id: target_id } = await create(client, 'collections.create', { project_id, name: newId() })
    const expires_at = new Date(app.clock.now().getTime() + 86_400_000).toISOString()
    const input = { target_type: 'collection', target_id, password, expires_at }
    const { id, token } = await create(client, 'share.link.create', input)
    const body = JSON.stringify({ token, password })
    const validate = () => fetch(`${app.url}/v1/op/share.link.validate`, { method: 'POST', body })
    return { id: id!, isActing: async () => (await validate()).ok }
  },
  event_subscription: async (creator) => {
    const input = { event_type: 'collection.created', endpoint_url: 'https://1.1.1.1/hook' }
    const { id } = await create(creator.client, 'event_subscriptions.create', input)
    return { id: id!, isActing: () => isDelivered(creator, id!) }
  },
  webhook: async ({ client, organization: { project: workspace_id } }) => {
    const input = { workspace_id, name: 'w', url: 'https://1.1.1.1/orders', events: ['order.status'] }
    return { id: (await create(client, 'webhooks.create', input)).id!, isActing: null }
  },
  report_schedule: async ({ client, organization: { project: project_id } }) => {
    const input = { name: 'r', report_type: 'orders', project_id, formats: ['csv'], frequency: 'weekly' }
    return { id: (await create(client, 'reports.schedules.create', input)).id!, isActing: null }
  },
  saved_search: async ({ client, organization: { project: project_id } }) => {
    const filters = { bbox: [10, 50, 11, 51] }
    const input = { name: newId(), project_id, source_ids: ['open'], filters, notify: true }
    return { id: (await create(client, 'catalog.search.save', input)).id!, isActing: null }
  },
  standing_order: async (creator) => {
    const { client, organization } = creator
    const { id: saved_search_id } = await creators.saved_search({ ...creator, client: organization.owner.client })
    const caps = { max_credits_per_scene: 100, max_credits_per_month: 1000 }
    const input = { saved_search_id, project_id: organization.project, mode: 'ask', ...caps }
    return { id: (await create(client, 'orders.standing.create', input)).id!, isActing: null }
  },
  alert_rule: async ({ client, organization: { project: project_id } }) => {
    const input = { name: 'a', project_id, expression: 'b1', comparison: 'lt', threshold: 0.3 }
    const { alert_rule } = await client.call<{ alert_rule: { id: string } }>('alerts.create_rule', input)
    return { id: alert_rule.id, isActing: null }
  },
}

const listStopped = async ({ owner }: TestOrganization): Promise<Delegation[]> =>
  (await owner.client.call<{ delegations: Delegation[] }>('organizations.delegations.list')).delegations

/** Creates one of each kind and checks that all act, and none any more after the change, for the reason. */
async function assertStopped(
  creator: Creator,
  kinds: readonly DelegationKind[],
  { change, reason }: { readonly change: () => Promise<unknown>; readonly reason: string },
): Promise<Map<DelegationKind, CreatedDelegation>> {
  const created = new Map<DelegationKind, CreatedDelegation>()
  for (const kind of kinds) created.set(kind, await creators[kind](creator))
  for (const [kind, { isActing }] of created) if (isActing) assert.ok(await isActing(), `${kind} acts`)
  assert.deepEqual(await listStopped(creator.organization), [])
  await change()
  for (const [kind, { isActing }] of created)
    if (isActing) assert.ok(!(await isActing()), `${kind} does not act any more`)
  const stopped = await listStopped(creator.organization)
  assert.deepEqual(
    stopped.map(({ kind, id, stop_reason }) => `${kind} ${id} ${stop_reason}`).sort(),
    [...created].map(([kind, { id }]) => `${kind} ${id} ${reason}`).sort(),
  )
  return created
}

const readStopEvents = async ({ organization }: TestOrganization): Promise<number[]> => {
  const rows = await app.database.unscoped.query<{ count: number }>(sql`
    select jsonb_array_length(data -> 'delegations') as count from events
    where organization_id = ${organization} and kind = 'organization.delegations_stopped'`)
  return rows.map(({ count }) => count)
}

/** Moves the end of a key, and the deadline that the server keeps of it, into the past. */
async function expireKey(key: string): Promise<void> {
  await app.database.unscoped.transaction(async (tx) => {
    await tx.query(sql`update api_keys set expires_at = now() - interval '1 second' where id = ${key}::uuid`)
    await tx.query(sql`
      update billing_deadlines set due_at = now() - interval '1 second' where kind = 'key-expiry' and subject_id = ${key}::uuid`)
    await app.queue.enqueue(tx, backgroundTaskTypes.sweepBillingDeadlines, {})
  })
}

async function createMember(role: 'admin' | 'member'): Promise<{ member: TestUser; organization: TestOrganization }> {
  const organization = await createTestOrganization(app)
  return { member: await organization.addMember(role), organization }
}

test('delegations of a user stop when the user is disabled, with an event, and act again once taken over', async () => {
  const { member, organization } = await createMember('admin')
  const created = await assertStopped({ client: member.client, organization }, delegationKinds, {
    change: () => app.admin.call('admin.users.disable', { user_id: member.user, reason: 'test' }),
    reason: 'user_disabled',
  })
  assert.deepEqual(await readStopEvents(organization), [delegationKinds.length])
  const { client } = organization.owner
  for (const [kind, { id, isActing }] of created) {
    await client.call('organizations.delegations.take_over', { kind, delegation_id: id })
    if (isActing) assert.ok(await isActing(), `${kind} acts again`)
    await assert.rejects(client.call('organizations.delegations.take_over', { kind, delegation_id: id }), {
      status: 409,
    })
  }
  assert.deepEqual(await listStopped(organization), [])
})

test('delegations of an API key stop when the key is revoked, and others of its user do not', async () => {
  const organization = await createTestOrganization(app)
  const { owner } = organization
  const key = await create(owner.client, 'api_keys.create', { name: 'k', permissions: ['can_write'] })
  const own = await creators.share_link({ client: owner.client, organization })
  const client = createClient({ baseUrl: app.url, token: key.key! })
  const forUsers: readonly DelegationKind[] = ['api_key', 'standing_order']
  // A link of a key is revoked with it.
  const kinds = delegationKinds.filter((kind) => !forUsers.includes(kind) && kind !== 'share_link')
  await assertStopped({ client, organization }, kinds, {
    change: () => owner.client.call('api_keys.revoke', { key_id: key.id }),
    reason: 'key_revoked',
  })
  assert.ok(await own.isActing!())
  assert.deepEqual(await readStopEvents(organization), [kinds.length])
})

test('delegations of an API key stop when the key expires, and emit an event then', async () => {
  const organization = await createTestOrganization(app)
  const { owner } = organization
  const createKey = (name: string) =>
    create(owner.client, 'api_keys.create', { name, permissions: ['can_write'], expires_in_days: 1 })
  const [key, revoked] = [await createKey('k'), await createKey('revoked')]
  for (const { key: token } of [key, revoked])
    await creators.event_subscription({ client: createClient({ baseUrl: app.url, token: token! }), organization })
  await owner.client.call('api_keys.revoke', { key_id: revoked.id })
  assert.deepEqual(await readStopEvents(organization), [1])
  await expireKey(key.id!)
  const until_ms = Date.now() + 30_000
  while ((await readStopEvents(organization)).length < 2 && Date.now() < until_ms) await pause(50)
  assert.deepEqual(await readStopEvents(organization), [1, 1])
  assert.deepEqual((await listStopped(organization)).map(({ stop_reason }) => stop_reason).sort(), [
    'key_expired',
    'key_revoked',
  ])
})

test('delegations of a member in a project stop when the member loses the project', async () => {
  const { member, organization } = await createMember('member')
  const { owner, project: project_id } = organization
  await owner.client.call('projects.add_member', { project_id, user_id: member.user, role: 'editor' })
  // Keys are created by admins; a subscription of all projects is filtered by what its user may see.
  const kinds = delegationKinds.filter((kind) => kind !== 'api_key' && kind !== 'event_subscription')
  const created = await assertStopped(
    { client: member.client, organization },
    kinds.filter((kind) => kind !== 'tile_token'),
    {
      change: () => owner.client.call('projects.remove_member', { project_id, user_id: member.user }),
      reason: 'no_access',
    },
  )
  assert.equal(created.size, kinds.length - 1)
})
