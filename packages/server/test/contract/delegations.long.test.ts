import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient, type Client } from '@swath/client/client.ts'
import { delegationKinds, type Delegation, type DelegationKind } from '@swath/contract/delegations.ts'
import { backgroundTaskTypes } from '../../src/engine/task-types.ts'
import { findApiKeyAuthByHash } from '../../src/domains/identity/store.ts'
import { parseApiKey } from '../../src/platform/crypto/secrets.ts'
import { sql } from '../../src/platform/database/sql.ts'
import type { TestApp } from '../test-app.ts'
import { createTestOrganization, type TestOrganization, type TestUser } from '../test-organizations.ts'
import {
  delegationTrials,
  startTrialApp,
  type CreatedDelegation,
  type Creator,
  type TrialApp,
} from './delegation-trials.ts'

let trial: TrialApp
let app: TestApp
before(async () => {
  trial = await startTrialApp()
  app = trial.app
})
after(() => app?.close())

const create = (client: Client, id: string, input: object) => client.call<Record<string, string>>(id, input)

const createOfKind = (kind: DelegationKind, creator: Creator): Promise<CreatedDelegation> =>
  delegationTrials[kind](trial, creator)

const listStopped = async ({ owner }: TestOrganization): Promise<Delegation[]> =>
  (await owner.client.call<{ delegations: Delegation[] }>('organizations.delegations.list')).delegations

/** Creates one of each kind and checks that all act, and none any more after the change, for the reason. */
async function assertStopped(
  creator: Creator,
  kinds: readonly DelegationKind[],
  { change, reason }: { readonly change: () => Promise<unknown>; readonly reason: string },
): Promise<Map<DelegationKind, CreatedDelegation>> {
  const created = new Map<DelegationKind, CreatedDelegation>()
  for (const kind of kinds) created.set(kind, await createOfKind(kind, creator))
  for (const [kind, { isActing }] of created) assert.ok(await isActing(), `${kind} acts`)
  assert.deepEqual(await listStopped(creator.organization), [])
  await change()
  for (const [kind, { isActing }] of created) assert.ok(!(await isActing()), `${kind} does not act any more`)
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

/** Moves the end of a key, and the deadline that the server keeps of it, into the past, or to so many milliseconds from now. */
async function expireKey(key: string, from_now_ms = -1000): Promise<void> {
  const at = new Date(Date.now() + from_now_ms)
  await app.database.unscoped.transaction(async (tx) => {
    await tx.query(sql`update api_keys set expires_at = ${at} where id = ${key}::uuid`)
    await tx.query(sql`
      update billing_deadlines set due_at = ${at} where kind = 'key-expiry' and subject_id = ${key}::uuid`)
    await app.queue.enqueue(tx, backgroundTaskTypes.sweepBillingDeadlines, {})
  })
}

async function createMember(role: 'admin' | 'member'): Promise<{ member: TestUser; organization: TestOrganization }> {
  const organization = await createTestOrganization(app, 100_000)
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
    const { secret } = await client.call('organizations.delegations.take_over', { kind, delegation_id: id })
    const isReplaced = kind === 'api_key' || kind === 'worker_token'
    assert.equal(secret !== null, isReplaced, kind)
    assert.ok(await isActing(secret), `${kind} acts again`)
    if (isReplaced) assert.ok(!(await isActing()), `${kind} does not act with its former secret`)
    await assert.rejects(client.call('organizations.delegations.take_over', { kind, delegation_id: id }), {
      status: 409,
    })
  }
  assert.deepEqual(await listStopped(organization), [])
})

test('delegations of an API key stop when the key is revoked, and others of its user do not', async () => {
  const organization = await createTestOrganization(app, 100_000)
  const { owner } = organization
  const key = await create(owner.client, 'api_keys.create', { name: 'k', permissions: ['can_write', 'can_process'] })
  const own = await createOfKind('share_link', { client: owner.client, organization })
  const client = createClient({ baseUrl: app.url, token: key.key! })
  const forUsers: readonly DelegationKind[] = ['api_key', 'standing_order']
  const kinds = delegationKinds.filter((kind) => !forUsers.includes(kind))
  await assertStopped({ client, organization }, kinds, {
    change: () => owner.client.call('api_keys.revoke', { key_id: key.id }),
    reason: 'key_revoked',
  })
  assert.ok(await own.isActing())
  assert.deepEqual(await readStopEvents(organization), [kinds.length])
})

test('delegations of an API key stop when the key expires, and emit an event then', async () => {
  const organization = await createTestOrganization(app, 100_000)
  const { owner } = organization
  const createKey = (name: string) =>
    create(owner.client, 'api_keys.create', { name, permissions: ['can_write'], expires_in_days: 1 })
  const [key, revoked] = [await createKey('k'), await createKey('revoked')]
  for (const { key: token } of [key, revoked])
    await createOfKind('event_subscription', {
      client: createClient({ baseUrl: app.url, token: token! }),
      organization,
    })
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

test('tokens made with the former secret of a key are not valid any more once the key is taken over', async () => {
  const { member, organization } = await createMember('admin')
  const { id, key } = await create(member.client, 'api_keys.create', { name: 'k', permissions: ['can_read'] })
  const exchange = async (fields: Record<string, string>) => {
    const body = new URLSearchParams({ client_id: 'swath', ...fields })
    const response = await fetch(`${app.url}/realms/public/protocol/openid-connect/token`, { method: 'POST', body })
    return { ok: response.ok, ...((await response.json()) as { access_token: string; refresh_token: string }) }
  }
  const before = await exchange({ grant_type: 'client_credentials', client_secret: key! })
  assert.ok(before.ok)
  await app.admin.call('admin.users.disable', { user_id: member.user, reason: 'test' })
  const input = { kind: 'api_key', delegation_id: id }
  const { secret } = await create(organization.owner.client, 'organizations.delegations.take_over', input)
  await assert.rejects(createClient({ baseUrl: app.url, token: before.access_token }).call('users.me'), { status: 401 })
  assert.ok(!(await exchange({ grant_type: 'refresh_token', refresh_token: before.refresh_token })).ok)
  assert.ok(!(await exchange({ grant_type: 'client_credentials', client_secret: key! })).ok)
  assert.ok((await exchange({ grant_type: 'client_credentials', client_secret: secret! })).ok)
})

test('a secret that is replaced while it is looked up is refused', async () => {
  const { member, organization } = await createMember('admin')
  const { id, key } = await create(member.client, 'api_keys.create', { name: 'k', permissions: ['can_read'] })
  await app.admin.call('admin.users.disable', { user_id: member.user, reason: 'test' })
  const input = { kind: 'api_key', delegation_id: id }
  const { secret } = await create(organization.owner.client, 'organizations.delegations.take_over', input)
  const [former, current] = [parseApiKey(key!)!, parseApiKey(secret!)!]
  // As if the take-over had ended after the hash was found.
  await app.database.unscoped.query(sql`
    insert into api_key_directory (key_hash, organization_id, key_id) values (${former.hash}, ${organization.organization}, ${id})`)
  assert.equal(await findApiKeyAuthByHash(app.database.unscoped, former), null)
  assert.equal((await findApiKeyAuthByHash(app.database.unscoped, current))?.id, id)
})

test('a link of an expired key that was changed before acts until its own expiry once it is taken over', async () => {
  const organization = await createTestOrganization(app)
  const { client } = organization.owner
  const keyInput = { name: 'k', permissions: ['can_write'], expires_in_days: 1 }
  const { id: key_id, key } = await create(client, 'api_keys.create', keyInput)
  await expireKey(key_id!, 3_600_000)
  const creator = { client: createClient({ baseUrl: app.url, token: key! }), organization }
  const { id, isActing } = await createOfKind('share_link', creator)
  await client.call('share.link.update', { link_id: id, view_cap: 100 })
  await expireKey(key_id!)
  assert.ok(!(await isActing()))
  await client.call('organizations.delegations.take_over', { kind: 'share_link', delegation_id: id })
  assert.ok(await isActing())
  const { link } = await client.call<{ link: { expires_at: string } }>('share.link.get', { link_id: id })
  assert.ok(new Date(link.expires_at).getTime() > Date.now() + 2 * 3_600_000)
})

test('a link of a revoked key is not revoked: a user who takes it over may share it', async () => {
  const organization = await createTestOrganization(app)
  const { client } = organization.owner
  const { id: key_id, key } = await create(client, 'api_keys.create', { name: 'k', permissions: ['can_write'] })
  const creator = { client: createClient({ baseUrl: app.url, token: key! }), organization }
  const { id, isActing } = await createOfKind('share_link', creator)
  await client.call('api_keys.revoke', { key_id })
  const readLink = async () =>
    (await client.call<{ link: { active: boolean; revoked_at: string | null } }>('share.link.get', { link_id: id }))
      .link
  assert.deepEqual([(await readLink()).active, (await readLink()).revoked_at], [false, null])
  await client.call('organizations.delegations.take_over', { kind: 'share_link', delegation_id: id })
  assert.ok((await readLink()).active)
  assert.ok(await isActing())
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
