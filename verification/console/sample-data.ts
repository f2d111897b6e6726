import { everyScope } from '@swath/client/every-scope.ts'
import { day_ms } from '@swath/geo/time-units.ts'
import { createClient, type Client } from '@swath/client/client.ts'
import type { OutputOf } from '@swath/client/operations.ts'
import { createTokenSource } from '@swath/client/tokens.ts'
import { createBox } from '../prove/harness/demo-scene.ts'
import { addAlertRules, requireSoon, waitForAlerts } from './sample-alerts.ts'
import { runJobs, type SampleJobs } from './sample-jobs.ts'
import { fillLibrary, type SampleLibrary } from './sample-library.ts'
import type { Person } from './sign-in.ts'

/** The data of an organization after some work; screens are opened on it. */
export interface SampleData extends SampleLibrary, SampleJobs {
  readonly orderId: string
  readonly projectId: string
  readonly itemIds: readonly string[]
  readonly shareUrl: string
  readonly sharePassword: string
  /** The owner of a sandbox organization, with the one-time password. */
  readonly sandboxOwner: Person
  readonly webhookId: string
  /** An alert rule that has fired. */
  readonly ruleId: string
  /** Lines of a cart, as the console keeps them. */
  readonly cart: readonly object[]
}

const sharePassword = 'a password for visitors'

type Scene = OutputOf<'catalog.search'>['features'][number]

/** A client of a person, for steps and checks beside the browser. */
export const createPersonClient = (url: string, { email, password }: Person): Client =>
  createClient({ baseUrl: url, token: createTokenSource(url, { username: email, password, scope: everyScope }) })

/** Calls with the same scenes and key are one order. */
export async function buyScenes(
  client: Client,
  host: string,
  scenes: readonly Scene[],
  key: string = `sample-${host}-${scenes[0]!.id}`,
): Promise<string> {
  const captures = scenes.map(({ id, geometry }) => ({
    id,
    geometry: geometry as unknown as Record<string, unknown>,
    host,
  }))
  const { id } = await client.call('orders.archive.place', { captures }, { idempotencyKey: key.slice(0, 64) })
  return id
}

export const waitForDelivery = (client: Client, order_id: string): Promise<void> =>
  requireSoon('the order was not delivered in time', async () => {
    const { status } = await client.call('orders.get', { order_id })
    if (status === 'FAILED_PERMANENTLY' || status === 'CANCELED') throw new Error(`the order ended as ${status}`)
    return status === 'FULFILLED'
  })

/** A saved card and a receipt, a member with a limit who asks for credits, and keys for programs. */
async function addMoneyAndKeys(client: Client, url: string): Promise<void> {
  await client.call('payment_methods.attach', { payment_method_id: 'pm_card_good' })
  await client.call('billing.topup', { credits: 5000 }, { idempotencyKey: 'sample-top-up' })
  const email = 'mira@example.com'
  const { member, one_time_password } = await client.call('organizations.members.add', { email, name: 'Mira Field' })
  await client.call('organizations.members.set_spend_limit', {
    userId: member.user_id,
    perOrderLimitCredits: 5000,
    spendLimitCredits: 20_000,
  })
  if (one_time_password) {
    const colleague = createPersonClient(url, { email, password: one_time_password })
    await colleague.call('billing.approvals.request', { credits: 25_000 })
  }
  await client.call('api_keys.create', {
    name: 'Nightly search',
    permissions: ['can_read'],
    expires_in_days: 90,
    spend_cap_credits: 1000,
  })
  await client.call('api_keys.create', { name: 'Ordering', permissions: ['catalog:read', 'orders:write'] })
}

/** A search that is repeated, and a standing order that asks before it buys what the search finds. */
async function watchArea(client: Client): Promise<void> {
  const { id: saved_search_id } = await client.call('catalog.search.save', {
    name: 'Fields near the river',
    filters: { bbox: [11.1, 46.4, 11.4, 46.6], query: { cloudCoverage: { LTE: 20 } } },
  })
  await client.call(
    'orders.standing.create',
    { saved_search_id, mode: 'ask', max_credits_per_scene: 2000, max_credits_per_month: 10_000 },
    { idempotencyKey: 'sample-standing-order' },
  )
}

/** A field of some square kilometres, which satellites can acquire. */
export const taskingArea = { west: 11.2, south: 46.42, east: 11.3, north: 46.5 } as const

/** Constraints that are used often, an acquisition, a study and a quotation that wait for their providers or for a decision. */
async function taskSatellites(client: Client): Promise<void> {
  const { west, south, east, north } = taskingArea
  const geometry = createBox(west, south, east, north) as never
  await client.call('orders.tasking.templates.save', {
    name: 'Clear and steep',
    resolution: '30cm',
    sensor: 'optical',
    capture_frequency: 'once',
    datum: 'WGS84',
    file_format: 'COG',
    max_cloud_coverage: 20,
    max_nadir_angle: 20,
  })
  for (const [product, displayName] of [
    ['tasking-10m', 'River fields, next pass'],
    ['tasking-50cm', 'River fields, study'],
    ['tasking-1m5', 'River fields, quotation'],
  ] as const) {
    const { id: order_id } = await client.call(
      'orders.tasking.place',
      { dataProduct: `constellation:${product}`, displayName, groups: [{ geometry }] },
      { idempotencyKey: `sample-${product}` },
    )
    if (product === 'tasking-1m5') await offerPrice(client, order_id)
    if (product === 'tasking-50cm') await answerStudy(client, order_id)
  }
}

/** An operator is faster than the host, which studies for hours. */
async function answerStudy(client: Client, order_id: string): Promise<void> {
  const { organizationId: organization_id, tasking } = await client.call('orders.get', { order_id })
  const { acquisitionStart, acquisitionEnd } = tasking!
  const options = [
    { description: 'One pass within the window, at most 20 % cloud', acquisitionStart, acquisitionEnd, creditsPrice: 116_110 }, // prettier-ignore
    { description: 'Two passes, whichever has less cloud', acquisitionStart, acquisitionEnd, creditsPrice: 180_000 },
  ]
  await client.call('admin.tasking.study_upload', { organization_id, order_id, options, reason: 'The answer of the provider.' }) // prettier-ignore
}

/** The provider of a product that no host quotes by itself is an operator. */
async function offerPrice(client: Client, order_id: string): Promise<void> {
  const { organizationId: organization_id } = await client.call('orders.get', { order_id })
  const decide_by = new Date(Date.now() + 3 * day_ms).toISOString()
  await client.call('admin.tasking.quotation_upload', { organization_id, order_id, creditsPrice: 48_000, decide_by, reason: 'The offer of the provider.' }) // prettier-ignore
}

/** A sandbox organization with an owner; the caller is an administrator of the platform. */
export async function createSandboxOwner(client: Client, email: string): Promise<Person> {
  const { id } = await client.call('organizations.create', { name: 'Sandbox of the survey', sandbox: true, sandbox_seed: 'screens' }) // prettier-ignore
  const { one_time_password } = await client.call('organizations.members.add', { organization_id: id, email, name: 'Sam Sand', role: 'owner' }) // prettier-ignore
  if (one_time_password === null) throw new Error('the password of the sandbox was sent by mail')
  return { email, password: one_time_password }
}

/** Nothing listens here, so that deliveries fail. */
const webhookOrigin = 'https://127.0.0.1:8443'

/** Settings of a server whose deliveries fail for good at once. */
export const failingWebhooks = { OUTSIDE_ALLOW: webhookOrigin, WEBHOOK_RETRY_S: '1' } as const

/** A webhook that cannot be reached, and one that is paused. */
async function addWebhooks(client: Client): Promise<string> {
  const { id } = await client.call('event_subscriptions.create', {
    event_type: 'item.updated',
    endpoint_url: `${webhookOrigin}/swath/items`,
    description: 'The search index of the website',
  })
  const { id: paused } = await client.call('event_subscriptions.create', {
    event_type: 'order.fulfilled',
    endpoint_url: `${webhookOrigin}/swath/orders`,
  })
  await client.call('event_subscriptions.update', { subscription_id: paused, active: false })
  return id
}

/** A report, a schedule, and an adjustment, a list price and a version of a product that wait for another operator. */
async function addReports(client: Client): Promise<void> {
  const spending = { report_type: 'spending' as const, formats: ['pdf' as const, 'csv' as const] }
  await client.call('reports.create', { ...spending, name: 'Spending of the survey' })
  await client.call('reports.schedules.create', { ...spending, name: 'Monthly spending', frequency: 'monthly' })
  const { organization } = await client.call('users.me', {})
  const adjustment = { amount_credits: 2500, reason: 'A delivery of May was not usable.' }
  await client.call('admin.credit_adjustments.request', { organization_id: organization!.id, ...adjustment })
  const price = { product: 'Tasking, 30 cm', rate_aud: '27.50', effective_from: '2100-01-01T00:00:00Z' }
  await client.call('admin.rate_cards.create', { ...price, reason: 'The prices of the next year.' })
  const version = { data_product_name: 'constellation:tasking-30cm', minimum_km2: 50 }
  await client.call('admin.data_products.versions.create', {
    ...version,
    effective_from: price.effective_from,
    reason: 'The terms of the next year.',
  })
}

/** Buys scenes of both demo hosts, sorts and shares them, uploads files, and makes keys, as people do in their first days. */
export async function fillOrganization(client: Client, url: string): Promise<SampleData> {
  const scenesOf = async (host_name: string, limit: number): Promise<readonly Scene[]> =>
    (await client.call('catalog.search', { host_name, limit })).features
  const open = await scenesOf('open', 3)
  // Before the items that they watch.
  const ruleId = await addAlertRules(client)
  const orderId = await buyScenes(client, 'open', open)
  await waitForDelivery(client, orderId)
  await waitForAlerts(client, ruleId, open.length)
  await waitForDelivery(client, await buyScenes(client, 'commercial', await scenesOf('commercial', 1)))
  const { features } = await client.call('orders.list_assets', { order_id: orderId })
  const itemIds = features.map(({ item_id }) => item_id)
  const { projectId } = await client.call('orders.get', { order_id: orderId })
  await addMoneyAndKeys(client, url)
  await watchArea(client)
  await taskSatellites(client)
  const webhookId = await addWebhooks(client)
  const sandboxOwner = await createSandboxOwner(client, 'sam@example.com')
  const link = await client.call('share.link.create', {
    target_type: 'item',
    target_id: itemIds[0]!,
    permission: 'download',
    password: sharePassword,
    expires_at: new Date(Date.now() + 30 * day_ms).toISOString(),
  })
  const cart = (await scenesOf('commercial', 3))
    .slice(1)
    .map(({ id, geometry, properties, 'service:price': price }) => ({
      host_name: 'commercial',
      id,
      datetime: properties['datetime'] ?? null,
      footprint: geometry,
      area: null,
      licences: price?.licences ?? [],
    }))
  await addReports(client)
  const library = await fillLibrary(client, projectId, itemIds)
  const jobs = await runJobs(client, projectId)
  await client.call('items.tile.token.create', { item_id: itemIds[0]!, name: 'QGIS of the survey' })
  await client.call('items.tile.token.create', { collection_id: library.collectionId, name: 'Map of the website' })
  return {
    ...library,
    ...jobs,
    webhookId,
    ruleId,
    sandboxOwner,
    orderId,
    projectId,
    itemIds,
    shareUrl: link.url,
    sharePassword,
    cart,
  }
}
