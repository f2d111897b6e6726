import { createClient, type Client } from '@swath/client/client.ts'
import type { OutputOf } from '@swath/client/operations.ts'
import { createTokenSource } from '@swath/client/tokens.ts'
import { fillLibrary, type SampleLibrary } from './sample-library.ts'
import type { Person } from './sign-in.ts'

/** What an organization has after some work; screens are opened on it. */
export interface SampleData extends SampleLibrary {
  readonly orderId: string
  readonly projectId: string
  readonly itemIds: readonly string[]
  readonly shareUrl: string
  readonly sharePassword: string
  /** Lines of a cart, as the console keeps them. */
  readonly cart: readonly object[]
}

const sharePassword = 'a password for visitors'
const delivery_poll_ms = 250
const max_delivery_polls = 480
const day_ms = 86_400_000

type Scene = OutputOf<'catalog.search'>['features'][number]

/** A client of a person, for what is prepared or checked beside the browser. */
export const createPersonClient = (url: string, { email, password }: Person): Client =>
  createClient({ baseUrl: url, token: createTokenSource(url, { username: email, password }) })

export async function buyScenes(client: Client, host: string, scenes: readonly Scene[]): Promise<string> {
  const captures = scenes.map(({ id, geometry }) => ({
    id,
    geometry: geometry as unknown as Record<string, unknown>,
    host,
  }))
  const idempotencyKey = `sample-${host}-${scenes[0]!.id}`.slice(0, 64)
  const { id } = await client.call('orders.archive.place', { captures }, { idempotencyKey })
  return id
}

export async function waitForDelivery(client: Client, order_id: string): Promise<void> {
  for (let polls = 0; polls < max_delivery_polls; polls++) {
    const { status } = await client.call('orders.get', { order_id })
    if (status === 'FULFILLED') return
    if (status === 'FAILED_PERMANENTLY' || status === 'CANCELED') throw new Error(`the order ended as ${status}`)
    await new Promise((resolve) => setTimeout(resolve, delivery_poll_ms))
  }
  throw new Error('the order was not delivered in time')
}

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

/** Buys scenes of both demo hosts, sorts and shares them, uploads files, and makes keys, as people do in their first days. */
export async function fillOrganization(client: Client, url: string): Promise<SampleData> {
  const scenesOf = async (host_name: string, limit: number): Promise<readonly Scene[]> =>
    (await client.call('catalog.search', { host_name, limit })).features
  const open = await scenesOf('open', 3)
  const orderId = await buyScenes(client, 'open', open)
  await waitForDelivery(client, orderId)
  await waitForDelivery(client, await buyScenes(client, 'commercial', await scenesOf('commercial', 1)))
  const { features } = await client.call('orders.list_assets', { order_id: orderId })
  const itemIds = features.map(({ item_id }) => item_id)
  const { projectId } = await client.call('orders.get', { order_id: orderId })
  await addMoneyAndKeys(client, url)
  await watchArea(client)
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
      licences: price.licences ?? [],
    }))
  const library = await fillLibrary(client, projectId, itemIds)
  await client.call('items.tile.token.create', { item_id: itemIds[0]!, name: 'QGIS of the survey' })
  await client.call('items.tile.token.create', { collection_id: library.collectionId, name: 'Map of the website' })
  return { ...library, orderId, projectId, itemIds, shareUrl: link.url, sharePassword, cart }
}
