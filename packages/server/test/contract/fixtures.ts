import type { Client } from '@swath/client/client.ts'
import { createTestSandbox } from '../sandbox/sandboxes.ts'
import { issueInvoice } from '../invoices.ts'
import { readLicensedEulaIds } from '../hosts/licensed-hosts.ts'
import { toProductOrder, waitForOrder, type CaptureInput, type ProductOrderInput } from '../orders.ts'
import { createTestOrganization, type TestOrganization } from '../test-organizations.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { newId } from '../../src/platform/ids.ts'
import { waitForJob } from '../processing/jobs.ts'
import { proposeScene, saveRestingSearch, type ProposedScene } from '../standing-orders.ts'
import { hoursFromNow, type TestApp } from '../test-app.ts'
import { uploadVector } from '../vectors.ts'

/** An entity of every kind that an example may reference, in one organization. */
export interface ContractFixtures extends TestOrganization {
  readonly app: TestApp
  readonly client: Client
  readonly collection: string
  readonly order: string
  readonly item: string
  readonly asset: string
  /** An item with vector features. */
  readonly vector: string
  /** The footprint of the item, and a point in its middle. */
  readonly area: object
  readonly interiorPoint: readonly [longitude: number, latitude: number]
  /** A visualization profile of the item. */
  readonly profile: string
  /** A band formula of the organization. */
  readonly formula: string
  /** An OAuth client of the organization. */
  readonly oauthClient: string
  /** A share link to the collection with downloads: its id, the visitor credentials, and a session token. */
  readonly shareLink: {
    readonly id: string
    readonly session: string
    readonly visitorCredentials: { token: string; password: string }
  }
  /** Another member of the organization, in no project. */
  readonly otherUser: string
  readonly captures: readonly object[]
  readonly savedSearch: string
  /** A notification of the owner: that the order was delivered. */
  readonly notification: string
  /** An alert rule of the project, which is not active. */
  readonly alertRule: string
  /** A trigger of it. */
  readonly alertEvent: string
  /** An event subscription whose URL the server refuses to call, and a failed delivery of it. */
  readonly subscription: string
  readonly delivery: string
  /** A paused webhook of the project. */
  readonly webhook: string
  readonly proposal: ProposedScene
  /** A report that the owner has generated, and a schedule of the owner. */
  readonly report: string
  readonly reportSchedule: string
  /** The order of a data product for the first capture. */
  readonly productOrder: ProductOrderInput
  readonly taskingTemplate: string
  /** An open upload session. */
  readonly upload: string
  /** A pending processing job. */
  readonly job: string
  /** A completed clip of the item: the job, and the area with a mosaic that it was cut from. */
  readonly clip: { readonly job: string; readonly area: string }
  /** A clip user of the organization, who is an admin of it. */
  readonly clipUser: Client
  /** An open invoice of 11 AUD. */
  readonly invoice: string
  /** A pending top-up approval request. */
  readonly approval: string
  readonly admin: Client
  /** The owner of a sandbox organization. */
  readonly sandbox: Client
  /** A licence agreement of `licensedHostsFile`, and its newest document. */
  readonly eula: { readonly eula_id: string; readonly document_id: string }
}

interface SceneSearchResult {
  readonly features: readonly { readonly id: string; readonly geometry: Record<string, unknown> }[]
}

/** Orders one free scene and creates the other entities, by default in a new organization; returns their ids. */
export async function createContractFixtures(app: TestApp, org?: TestOrganization): Promise<ContractFixtures> {
  return createEntities(app, org ?? (await createTestOrganization(app)))
}

async function createEntities(app: TestApp, org: TestOrganization): Promise<ContractFixtures> {
  const { client } = org.owner
  const searchResult = await client.call<SceneSearchResult>('catalog.search', { host_name: 'open', limit: 2 })
  const captures = searchResult.features.map(({ id, geometry }) => ({ id, geometry, host: 'open' }))
  const order = await client.call<{ id: string }>('orders.archive.place', {
    captures: captures.slice(0, 1),
    projectId: org.project,
  })
  await waitForOrder(client, order.id, 'FULFILLED')
  const manifest = await client.call<{
    collection_id: string
    features: { item_id: string; assets: Record<string, { id: string }> }[]
  }>('orders.list_assets', { order_id: order.id })
  const feature = manifest.features[0]!
  const { id: profile } = await client.call<{ id: string }>('visualization.profile.create', {
    item_id: feature.item_id,
    name: 'World',
    type: 'singleband',
    config: { bands: '1' },
  })
  const oauthClient = await registerOAuthClient(client)
  const { id: formula } = await client.call<{ id: string }>('band_formulas.create', {
    name: `World ${newId()}`,
    formula: 'b1 / 2',
  })
  const { id: upload } = await client.call<{ id: string }>('uploads.initiate', { project_id: org.project })
  const other = await org.addMember('member')
  const clipUser = await createClipUser(app, org)
  const { id: approval } = await client.call<{ id: string }>('billing.approvals.request', { credits: 1000 })
  return {
    ...org,
    app,
    client,
    eula: await readLicensedEulaIds(),
    collection: manifest.collection_id,
    order: order.id,
    item: feature.item_id,
    asset: feature.assets['data']!.id,
    vector: await uploadVector(client, org.project, field),
    area: captures[0]!.geometry,
    interiorPoint: await findCenter(client, feature.item_id),
    profile,
    formula,
    oauthClient,
    upload,
    job: await createPendingJob(client, org.project, feature.item_id),
    clipUser,
    clip: await createClip(
      org,
      clipUser,
      { collection: manifest.collection_id, item: feature.item_id },
      captures[0]!.geometry,
    ),
    shareLink: await shareCollection(app, client, manifest.collection_id),
    otherUser: other.user,
    captures,
    ...(await createSubscription(app, org)),
    webhook: await createPausedWebhook(org),
    savedSearch: await saveRestingSearch(app, client, {
      name: 'Harvest',
      project_id: org.project,
      filters: { bbox: [10, 50, 11, 51] },
    }),
    notification: (await client.call('notifications.list', {})).notifications[0]!.id,
    ...(await createTriggeredRule(app, org, feature.item_id)),
    ...(await createReports(org)),
    proposal: await proposeScene(app, client, captures[1]!, org.project),
    productOrder: await toProductOrder(client, captures[0]! as CaptureInput),
    taskingTemplate: await saveTemplate(client),
    invoice: await issueInvoice(app, org.organization, 1100),
    approval,
    admin: app.admin,
    sandbox: (await createTestSandbox(app)).client,
  }
}

const field = {
  type: 'Feature',
  properties: { name: 'field' },
  geometry: { type: 'Polygon', coordinates: [[[10, 50], [11, 50], [11, 51], [10, 50]]] },
} // prettier-ignore

async function createClipUser(app: TestApp, org: TestOrganization): Promise<Client> {
  const member = await org.addMember('admin')
  await app.database.unscoped.query(sql`update users set is_clip_user = true where id = ${member.user}`)
  return app.createClientFor(member.email, member.password)
}

async function createPendingJob(client: Client, project_id: string, item: string): Promise<string> {
  const { job_types } = await client.call('processing.job_types.list', {})
  const job_type_id = job_types.find(({ name }) => name === 'format-conversion')!.id
  const input_params = { item, title: newId() }
  return (await client.call('processing.create', { project_id, job_type_id, input_params })).job.id
}

/** Makes the collection of the item an area with a mosaic, and clips it. */
async function createClip(
  { organization }: TestOrganization,
  clipUser: Client,
  { collection, item }: { readonly collection: string; readonly item: string },
  aoi_geometry: object,
): Promise<ContractFixtures['clip']> {
  await clipUser.call('items.update', { item_id: item, properties: { mosaic_type: 'visual' } })
  const { job } = await clipUser.call<{ job: { id: string } }>('clip.create_from_area', {
    area: collection,
    mosaic_types: ['visual'],
    aoi_geometry,
    organization_id: organization,
  })
  await waitForJob(clipUser, job.id, 'completed')
  return { job: job.id, area: collection }
}

async function saveTemplate(client: Client): Promise<string> {
  const settings = {
    resolution: '50cm',
    sensor: 'optical',
    capture_frequency: 'once',
    datum: 'WGS84',
    file_format: 'COG',
  }
  return (await client.call('orders.tasking.templates.save', { name: 'Cloudless', ...settings })).id
}

async function shareCollection(
  app: TestApp,
  client: Client,
  target_id: string,
): Promise<ContractFixtures['shareLink']> {
  const expires_at = hoursFromNow(app, 24)
  const linkInput = {
    target_type: 'collection',
    target_id,
    permission: 'download',
    password: visitorPassword,
    expires_at,
  }
  const { id, token } = await client.call<{ id: string; token: string }>('share.link.create', linkInput)
  const visitorCredentials = { token, password: visitorPassword }
  const { token: session } = await client.call<{ token: string }>('share.session.create', visitorCredentials)
  return { id, session, visitorCredentials }
}

const visitorPassword = 'a password for visitors'

async function findCenter(client: Client, item_id: string): Promise<[number, number]> {
  const { center } = await client.call<{ center: [number, number] }>('items.tile.tilejson', { item_id })
  return [center[0], center[1]]
}

/** A report of the owner as CSV, and a weekly schedule. */
async function createReports({
  owner,
}: TestOrganization): Promise<Pick<ContractFixtures, 'report' | 'reportSchedule'>> {
  const subject = { report_type: 'orders' as const, formats: ['csv' as const] }
  const { id: report } = await owner.client.call<{ id: string }>('reports.create', subject)
  const schedule = { ...subject, name: 'Orders', frequency: 'weekly' as const }
  const { id: reportSchedule } = await owner.client.call<{ id: string }>('reports.schedules.create', schedule)
  return { report, reportSchedule }
}

async function createPausedWebhook({ project, owner }: TestOrganization): Promise<string> {
  const { id } = await owner.client.call<{ id: string }>('webhooks.create', {
    workspace_id: project,
    name: 'Jobs',
    url: 'https://1.1.1.1/jobs',
    events: ['job.status'],
    active: false,
  })
  return id
}

async function createSubscription(app: TestApp, { organization, owner }: TestOrganization) {
  const { id: subscription } = await owner.client.call<{ id: string }>('event_subscriptions.create', {
    event_type: 'job.failed',
    endpoint_url: 'https://1.1.1.1/hook',
  })
  const delivery = newId()
  await app.database.unscoped.query(sql`
    update event_subscriptions set endpoint_url = 'http://127.0.0.1:9/hook'
    where organization_id = ${organization} and id = ${subscription}`)
  await app.database.unscoped.query(sql`
    insert into event_delivery_log
      (organization_id, id, log_id, event_id, subscription_id, state, attempts, scheduled_at, finished_at, created_at)
    select organization_id, ${delivery}, ${newId()}::uuid, id, ${subscription}, 'dead', 10, created_at, created_at, created_at
    from events where organization_id = ${organization} order by id limit 1`)
  return { subscription, delivery }
}

/** A rule that evaluates no item during the tests, with a trigger as an evaluation writes it. */
async function createTriggeredRule(app: TestApp, { organization, project, owner }: TestOrganization, item: string) {
  const { alert_rule } = await owner.client.call('alerts.create_rule', {
    name: 'Bright',
    project_id: project,
    expression: 'b1',
    comparison: 'gt',
    threshold: 1,
  })
  await owner.client.call('alerts.update_rule', { rule_id: alert_rule.id, active: false })
  const alertEvent = newId()
  await app.database.unscoped.query(sql`
    insert into alert_events (organization_id, id, rule_id, item_id, project_id, event_type, expression, statistic, asset_key,
      computed_value, comparison, threshold, created_at)
    values (${organization}, ${alertEvent}, ${alert_rule.id}, ${item}, ${project}, 'item.created', 'b1', 'mean', 'data', 2, 'gt',
      1, now())`)
  return { alertRule: alert_rule.id, alertEvent }
}

async function registerOAuthClient(client: Client): Promise<string> {
  const grants = { type: 'public', redirect_uris: ['https://agent.example/callback'], grants: ['authorization_code'] }
  const input = { name: 'Agent', scopes: ['items:read'], ...grants }
  return (await client.call<{ client: { client_id: string } }>('oauth_clients.create', input)).client.client_id
}
