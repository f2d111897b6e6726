import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { Compile } from 'typebox/compile'
import { hour_ms, minute_ms } from '@swath/geo/time-units.ts'
import { createClient, type Client } from '@swath/client/client.ts'
import { eventDefinitions, eventTypes } from '@swath/contract/events.ts'
import { backgroundTaskTypes } from '../../src/engine/task-types.ts'
import { updateInvitationToken } from '../../src/domains/organizations/invitations/store.invitations.ts'
import { hashSecretSha256 } from '../../src/platform/crypto/secrets.ts'
import { newId } from '../../src/platform/ids.ts'
import { createManualClock, type ManualClock } from '../../src/platform/clock.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { createFaultyHost, smallScenes } from '../hosts/faulty-host.ts'
import { licensedHostsFile, readLicensedEulaIds } from '../hosts/licensed-hosts.ts'
import { placeSceneOrder, waitForOrder } from '../orders.ts'
import { expectedStates } from '../sandbox/reached.ts'
import { area, createCatalogHost, type CatalogHost } from '../standing-orders.ts'
import { startTestApp, type TestApp } from '../test-app.ts'
import {
  createScimToken,
  createTestOrganization,
  createTestUser,
  grantSupportAccess,
  type TestOrganization,
} from '../test-organizations.ts'
import { proveDomain } from '../federation/federated-organization.ts'
import { startTestNameServer, type TestNameServer } from '../federation/name-server.ts'
import { uploadVector } from '../vectors.ts'
import { createDeliveryClient, eventually, type DeliveryClient } from '../webhooks/delivery-client.ts'
import { startWebhookReceiver, status, type WebhookReceiver } from '../webhooks/webhook-receiver.ts'

let app: TestApp
let clock: ManualClock
let org: TestOrganization
let catalog: CatalogHost
let receiver: WebhookReceiver
let names: TestNameServer
let deliveries: DeliveryClient
/** The order of a scene that was delivered. */
let order_id: string
before(async () => {
  receiver = await startWebhookReceiver()
  names = await startTestNameServer()
  clock = createManualClock(new Date())
  catalog = await createCatalogHost('scenes')
  app = await startTestApp({
    clock,
    hosts: [catalog, await createFaultyHost('good')],
    background: { poll_s: 0.05 },
    environment: {
      OUTSIDE_ALLOW: receiver.origin,
      DNS_SERVERS: names.address,
      CATALOG_HOSTS_FILE: licensedHostsFile,
    },
  })
  org = await createTestOrganization(app, 1_000_000)
  deliveries = createDeliveryClient(org.owner.client, org.project, receiver)
})
after(async () => {
  await app?.close()
  await receiver?.close()
  await names?.close()
})

const client = (): Client => org.owner.client

const listKinds = async (): Promise<string[]> =>
  (
    await app.database.unscoped.query<{ kind: string }>(sql`
      select distinct kind from events where organization_id = ${org.organization} order by kind`)
  ).map(({ kind }) => kind)

const waitForKind = (kind: string): Promise<unknown> =>
  eventually(async () => ((await listKinds()).includes(kind) ? true : undefined), `the event ${kind}`)

const assertEmitted = async (...kinds: readonly string[]): Promise<void> => {
  const emitted = await listKinds()
  assert.deepEqual(
    kinds.filter((kind) => !emitted.includes(kind)),
    [],
  )
}

const square = { type: 'Polygon', coordinates: [[[0, 0], [1, 0], [1, 1], [0, 1], [0, 0]]] } // prettier-ignore

test('projects, collections, uploads and assets emit their events', async () => {
  const collection_id = await deliveries.createCollection('Fields')
  await client().call('collections.update', { project_id: org.project, collection_id, name: 'Meadows' })
  const item_id = await uploadVector(client(), org.project, { type: 'Feature', geometry: square, properties: {} })
  const { assets } = await client().call('items.list_assets', { item_id })
  await client().call('assets.delete', { item_id, asset_id: assets[0]!.id })
  await assertEmitted(
    'project.created',
    'collection.created',
    'collection.updated',
    'upload.completed',
    'item.created',
    'asset.deleted',
  )
})

test('a scene that satisfies a rule triggers an alert, which is acknowledged', async () => {
  await client().call('alerts.create_rule', { name: 'Any', expression: 'b1', comparison: '>=', threshold: 0 })
  order_id = await placeSceneOrder(client(), 'good', [smallScenes[0]])
  await waitForOrder(client(), order_id, 'FULFILLED')
  await waitForKind('alert.triggered')
  const { alert_events } = await client().call('alerts.events.list', {})
  await client().call('alerts.acknowledge_event', { event_id: alert_events[0]!.id })
  await assertEmitted('alert.acknowledged')
})

test('a job is computed and charged, another fails and is released, and an analysis is recorded', async () => {
  const { features } = await client().call<{ features: { item_id: string }[] }>('orders.list_assets', { order_id })
  const { item_id } = features[0]!
  const execute = (process_id: string, inputs: object) =>
    client().call('processing.execute', { process_id, workspaceId: org.project, inputs: { item: item_id, ...inputs } })
  await execute('format-conversion', {})
  await execute('band-math', { expression: 'b1 / (b1 - b1)' })
  for (const kind of ['job.captured', 'job.released']) await waitForKind(kind)
  await client().call('analytics.execute', { operation: 'histogram', params: { item_id, bands: '1' } })
  await assertEmitted('job.created', 'job.started', 'job.completed', 'job.failed', 'analytics.executed')
})

test('a licence agreement is accepted, and the acceptance is withdrawn', async () => {
  const ids = await readLicensedEulaIds()
  await client().call('eulas.document.accept', ids)
  await client().call('eulas.document.accept', { ...ids, is_accepted: false })
  await assertEmitted('eula.accepted', 'eula.withdrawn')
})

test('a new scene of a saved search is announced, and standing orders propose it, reach their cap or are suspended', async () => {
  const sweep = async (): Promise<void> => {
    for (const type of [backgroundTaskTypes.sweepSavedSearches, backgroundTaskTypes.sweepStandingOrders])
      await app.database.unscoped.transaction((tx) => app.queue.enqueue(tx, type, {}))
  }
  const search = { name: 'Field', source_ids: [catalog.name], filters: { intersects: area }, notify: true }
  const { id: search_id } = await client().call('catalog.search.save', search as never)
  const caps = { max_credits_per_scene: 100_000, max_credits_per_month: 1_000_000 }
  const order = { saved_search_id: search_id, ...caps }
  await client().call('orders.standing.create', { ...order, mode: 'ask' })
  await client().call('orders.standing.create', { ...order, mode: 'buy', max_credits_per_month: 1 })
  const admin = await org.addMember('admin')
  await admin.client.call('orders.standing.create', { ...order, mode: 'buy' })
  await app.database.unscoped.query(sql`update users set disabled_at = created_at where id = ${admin.user}`)
  const isFirstRunDone = async (): Promise<true | undefined> => {
    await sweep()
    const { searches } = await client().call('catalog.search.list', {})
    const { next_run_at } = searches[0]!.sources[0]!
    return Date.parse(next_run_at) > clock.now().getTime() ? true : undefined
  }
  await eventually(isFirstRunDone, 'the first run of the search')
  clock.advance(20 * minute_ms, org.organization)
  catalog.publish('new', clock.forOrganization(org.organization).now())
  for (const kind of [
    'saved_search.matched',
    'standing_order.proposed',
    'standing_order.cap_reached',
    'standing_order.suspended',
  ])
    await eventually(async () => {
      await sweep()
      return (await listKinds()).includes(kind) ? true : undefined
    }, `the event ${kind}`)
  const { standing_orders } = await client().call('orders.standing.list', {})
  for (const { id } of standing_orders) await client().call('orders.standing.delete', { standing_order_id: id })
  await client().call('catalog.search.delete', { search_id })
  await assertEmitted('saved_search.deleted')
})

test('a subscription whose endpoint fails for a day warns, and one with a 410 endpoint is disabled', async () => {
  receiver.respond('/gone', status(410))
  receiver.respond('/failing', status(500))
  await deliveries.subscribe('/gone')
  const failing = await deliveries.subscribe('/failing')
  await deliveries.createCollection()
  await waitForKind('event_subscription.disabled')
  await deliveries.waitFor(failing, 'retrying', 1)
  clock.advance(25 * hour_ms, org.organization)
  await waitForKind('event_subscription.failing')
})

test('delegations of a revoked key stop with an event', async () => {
  const { id: key_id, key } = await client().call<{ id: string; key: string }>('api_keys.create', {
    name: 'reports',
    permissions: ['can_write'],
  })
  const schedule = { name: 'Of a key', report_type: 'orders', formats: ['csv'], frequency: 'weekly' }
  await createClient({ baseUrl: app.url, token: key }).call('reports.schedules.create', schedule)
  await client().call('api_keys.revoke', { key_id })
  await assertEmitted('organization.delegations_stopped')
})

test('an organization that its owner closes and keeps emits both events', async () => {
  await org.owner.client.call('organizations.delete', { reason: 'A test of events' })
  await org.owner.client.call('organizations.restore', {})
  await assertEmitted('organization.deletion_scheduled', 'organization.deletion_cancelled')
})

/** An e-mail that is sent after the clock has advanced would be too recent to be sent again. */
async function waitForMail(invitation: string): Promise<void> {
  for (;;) {
    const sent = await app.database.unscoped.query(sql`
      select id from invitations where id = ${invitation} and sent_at is not null`)
    if (sent.length > 0) return
    await pause(20)
  }
}

test('who is invited, joins, is changed and leaves emits an event each time', async () => {
  const { client, user: owner } = org.owner
  const invitee = await createTestUser(app)
  const invite = async (email: string) =>
    (await client.call<{ invitation: { id: string } }>('organizations.invitations.create', { email })).invitation.id
  const withdrawn = await invite(`${newId()}@example.org`)
  await waitForMail(withdrawn)
  clock.advance(hour_ms, org.organization)
  await client.call('organizations.invitations.resend', { invitation_id: withdrawn })
  await client.call('organizations.invitations.revoke', { invitation_id: withdrawn })
  const accepted = await invite(invitee.email)
  // The link is in an e-mail; here another one takes its place.
  const token = `swathinvite_${newId()}`
  await app.database.unscoped.transaction(async (tx) => {
    await tx.query(sql`update invitations set sent_at = null where id = ${accepted}`)
    await updateInvitationToken(tx, org.organization, accepted, hashSecretSha256(token))
    await tx.query(sql`update invitations set sent_at = created_at where id = ${accepted}`)
  })
  await invitee.client.call('organizations.invitations.accept', { token })
  const { user: user_id } = invitee
  const projects = [{ project_id: org.project, role: 'viewer' }]
  await client.call('organizations.members.set_projects', { user_id, projects })
  await client.call('organizations.members.set_role', { user_id, role: 'admin' })
  await client.call('organizations.transfer_ownership', { user_id })
  const now = app.createClientFor(invitee.email, invitee.password)
  await now.call('organizations.transfer_ownership', { user_id: owner })
  await client.call('organizations.members.remove', { user_id })
  const second = await org.addMember('member')
  await second.client.call('organizations.leave', {})
  await assertEmitted(
    'invitation.created',
    'invitation.resent',
    'invitation.revoked',
    'invitation.accepted',
    'member.joined',
    'member.projects_changed',
    'member.role_changed',
    'organization.ownership_transferred',
    'member.removed',
    'member.left',
  )
})

test('domains, providers and tokens of directories emit their events', async () => {
  const domain = await proveDomain(org, names)
  const provider = { issuer: 'https://93.184.216.34', client_id: 'swath', domains: [domain] }
  await client().call('organizations.provider.set', provider)
  await client().call('organizations.provider.remove', {})
  await client().call('organizations.domains.remove', { domain })
  const scim_token_id = await createScimToken({ client: client() })
  await client().call('organizations.scim_tokens.revoke', { scim_token_id })
  await assertEmitted('organization.domain_verified', 'organization.provider_changed', 'scim_token.revoked')
})

test('an organization that an operator suspends and resumes emits both events', async () => {
  const input = { organization_id: org.organization, reason: 'A test of events' }
  await app.admin.call('admin.orgs.suspend', input)
  await app.admin.call('admin.orgs.resume', input)
  await assertEmitted('organization.suspended', 'organization.resumed')
})

test('support access emits the events of its request, its decision and its end', async () => {
  const input = { organization_id: org.organization, reason: 'A test of events' }
  const { id: refused } = await app.admin.call<{ id: string }>('admin.support_access.request', input)
  await client().call('organizations.support_access.refuse', { access_id: refused })
  const access_id = await grantSupportAccess(app.admin, client(), org.organization)
  await client().call('organizations.support_access.end', { access_id })
  await assertEmitted(
    'support_access.requested',
    'support_access.refused',
    'support_access.granted',
    'support_access.ended',
  )
})

test('a scheduled report is delivered when it is due', async () => {
  const schedule = { name: 'Orders', report_type: 'orders', formats: ['csv'], frequency: 'weekly' }
  const { id: schedule_id } = await client().call<{ id: string }>('reports.schedules.create', schedule)
  clock.advance(8 * 24 * hour_ms, org.organization)
  await app.database.unscoped.transaction((tx) => app.queue.enqueue(tx, backgroundTaskTypes.sweepReports, {}))
  await waitForKind('report.delivered')
  await client().call('reports.schedules.delete', { schedule_id })
})

test('every kind of event that is not part of a story was emitted here, so that none is never seen', async () => {
  const others = eventTypes.filter((kind) => !expectedStates['event']!.includes(kind))
  assert.ok(others.length > 10)
  await assertEmitted(...others)
})

test('the data of every event is valid against the published schema of its kind', async () => {
  const rows = await app.database.unscoped.query<{ kind: keyof typeof eventDefinitions; data: unknown }>(sql`
    select kind, data from events`)
  assert.ok(rows.length > 0)
  const validators = new Map(eventTypes.map((kind) => [kind, Compile(eventDefinitions[kind].data)]))
  for (const { kind, data } of rows) assert.ok(validators.get(kind)?.Check(data), `${kind}: ${JSON.stringify(data)}`)
})
