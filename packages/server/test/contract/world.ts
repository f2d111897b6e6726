import type { Client } from '@swath/client/client.ts'
import { issueInvoice } from '../invoices.ts'
import { waitForOrder } from '../orders.ts'
import { makeOrganization, type TestOrganization } from '../people.ts'
import { inHours, type TestHouse } from '../setup.ts'
import { uploadVector } from '../vectors.ts'

/** An entity of every kind that an example may reference, in one organization. */
export interface World extends TestOrganization {
  readonly house: TestHouse
  readonly client: Client
  readonly collection: string
  readonly order: string
  readonly item: string
  readonly asset: string
  /** An item with vector features. */
  readonly vector: string
  /** The footprint of the item, and a point in its middle. */
  readonly area: object
  readonly place: readonly [longitude: number, latitude: number]
  /** A visualization profile of the item. */
  readonly profile: string
  /** A band formula of the organization. */
  readonly formula: string
  /** A share link to the collection with downloads: its id, the visitor credentials, and a session token. */
  readonly link: { readonly id: string; readonly session: string; readonly visit: { token: string; password: string } }
  /** Another member of the organization, in no project. */
  readonly other: string
  readonly captures: readonly object[]
  /** An open upload session. */
  readonly upload: string
  /** An open invoice of 11 AUD. */
  readonly invoice: string
  /** A pending top-up approval request. */
  readonly approval: string
  readonly admin: Client
}

interface Scenes {
  readonly features: readonly { readonly id: string; readonly geometry: object }[]
}

/** Orders one free scene and creates the other entities; returns their ids. */
export async function makeWorld(house: TestHouse): Promise<World> {
  const made = await makeOrganization(house)
  const { client } = made.owner
  const found = await client.call<Scenes>('catalog.search', { host_name: 'open', limit: 2 })
  const captures = found.features.map(({ id, geometry }) => ({ id, geometry, host: 'open' }))
  const placed = await client.call<{ id: string }>('orders.archive.place', { captures: captures.slice(0, 1) })
  await waitForOrder(client, placed.id, 'FULFILLED')
  const manifest = await client.call<{
    collection_id: string
    features: { item_id: string; assets: Record<string, { id: string }> }[]
  }>('orders.list_assets', { order_id: placed.id })
  const feature = manifest.features[0]!
  const { id: profile } = await client.call<{ id: string }>('visualization.profile.create', {
    item_id: feature.item_id,
    name: 'World',
    type: 'singleband',
    config: { bands: '1' },
  })
  const { id: formula } = await client.call<{ id: string }>('band_formulas.create', {
    name: 'World',
    formula: 'b1 / 2',
  })
  const { id: upload } = await client.call<{ id: string }>('uploads.initiate', { project_id: made.project })
  const other = await made.join('member')
  const { id: approval } = await client.call<{ id: string }>('billing.approvals.request', { credits: 1000 })
  return {
    ...made,
    house,
    client,
    collection: manifest.collection_id,
    order: placed.id,
    item: feature.item_id,
    asset: feature.assets['data']!.id,
    vector: await uploadVector(client, made.project, field),
    area: captures[0]!.geometry,
    place: await middleOf(client, feature.item_id),
    profile,
    formula,
    upload,
    link: await shareCollection(house, client, manifest.collection_id),
    other: other.user,
    captures,
    invoice: await issueInvoice(house, made.organization, 1100),
    approval,
    admin: house.admin,
  }
}

const field = {
  type: 'Feature',
  properties: { name: 'field' },
  geometry: { type: 'Polygon', coordinates: [[[10, 50], [11, 50], [11, 51], [10, 50]]] },
} // prettier-ignore

async function shareCollection(house: TestHouse, client: Client, target_id: string): Promise<World['link']> {
  const expires_at = inHours(house, 24)
  const terms = { target_type: 'collection', target_id, permission: 'download', password: visitPassword, expires_at }
  const { id, token } = await client.call<{ id: string; token: string }>('share.link.create', terms)
  const visit = { token, password: visitPassword }
  const { token: session } = await client.call<{ token: string }>('share.session.create', visit)
  return { id, session, visit }
}

const visitPassword = 'a password for visitors'

async function middleOf(client: Client, item_id: string): Promise<[number, number]> {
  const { center } = await client.call<{ center: [number, number] }>('items.tile.tilejson', { item_id })
  return [center[0], center[1]]
}
