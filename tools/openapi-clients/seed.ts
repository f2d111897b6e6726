// Creates one of each kind of resource on a running server, and prints the variables of the scripts of `.ci` as lines
// of `name=value`.
import { interfaceNames } from '../../packages/server/src/engine/service-descriptions.ts'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '@swath/client/client.ts'
import { readFirstCredentials } from '../../packages/cli/src/connection.ts'
import { openAdminClient } from '../admin-client.ts'
import { findTile, seedInterfaces } from './interface-values.ts'

interface Scenes {
  readonly features: readonly { readonly id: string; readonly geometry: object }[]
}
interface Manifest {
  readonly collection_id: string
  readonly features: readonly { readonly item_id: string; readonly assets: Readonly<Record<string, { id: string }>> }[]
}

const host_name = 'open'
const max_tries = 600
const sharePassword = 'a password for visitors'

/** Orders a free scene, waits for its delivery and returns the ids of the order and of the delivered item. */
async function deliverScene(client: Client, projectId: string): Promise<Record<string, string>> {
  const { features } = await client.call<Scenes>('catalog.search', { host_name, limit: 1 })
  const [scene] = features
  if (!scene) throw new Error('the catalogue has no scene')
  const captures = [{ id: scene.id, geometry: scene.geometry, host: host_name }]
  const { id: order_id } = await client.call<{ id: string }>('orders.archive.place', { captures, projectId })
  for (let tries = 0; tries < max_tries; tries++) {
    if ((await client.call<{ status: string }>('orders.get', { order_id })).status === 'FULFILLED') break
    await pause(100)
  }
  const { collection_id, features: deliveredIds } = await client.call<Manifest>('orders.list_assets', { order_id })
  const [first] = deliveredIds
  if (!first) throw new Error('the order delivered nothing')
  const { item_id, assets } = first
  return { image_id: scene.id, order_id, collection_id, item_id, asset_id: assets['data']?.id ?? '' }
}

async function main(folder: string): Promise<void> {
  const { url, client } = await openAdminClient(folder)
  const create = async (operation: string, input: Record<string, unknown> = {}): Promise<string> =>
    (await client.call<{ id: string }>(operation, input)).id

  const me = await client.call<{ user: { id: string }; organization: { id: string } }>('users.me')
  const project_id = await create('projects.create', { name: `openapi-clients ${Date.now()}` })
  const deliveredIds = await deliverScene(client, project_id)
  const { item_id, collection_id } = deliveredIds
  const { id: stac_id, bbox } = await client.call<{ id: string; bbox: readonly number[] }>('items.get_stac', {
    item_id,
  })
  const profile = { item_id, name: 'Grey', type: 'singleband', config: { bands: '1' } }
  const expires_at = new Date(Date.now() + 86_400_000).toISOString()
  const link = await client.call<{ id: string; token: string }>('share.link.create', {
    target_type: 'collection',
    target_id: collection_id,
    permission: 'download',
    password: sharePassword,
    expires_at,
  })
  const values = {
    ...deliveredIds,
    host_name,
    project_id,
    projectId: project_id,
    workspaceId: project_id,
    target_id: collection_id,
    target_type: 'collection',
    organization_id: me.organization.id,
    user_id: me.user.id,
    profile_id: await create('visualization.profile.create', profile),
    formula_id: await create('band_formulas.create', { name: `half ${Date.now()}`, formula: 'b1 / 2' }),
    upload_id: await create('uploads.initiate', { project_id }),
    approval_id: await create('billing.approvals.request', { credits: 1000 }),
    link_id: link.id,
    token: link.token,
    password: sharePassword,
    stac_id,
    entity_type: 'item',
    entity_id: item_id,
    // Further calls need a project that is not archived, and storage and credits that are not used up.
    is_archived: false,
    bytes_delta: 1,
    amount_credits: 5,
  }
  const { login } = await readFirstCredentials(folder)
  const lines = {
    root: url,
    login: JSON.stringify(login),
    documents: ['openapi', ...interfaceNames.map((name) => `openapi/${name}`)].join(' '),
    values: JSON.stringify(values),
    paths: JSON.stringify(await seedInterfaces(client, { ...values, ...findTile(bbox) })),
  }
  for (const [name, value] of Object.entries(lines)) console.log(`${name}=${value}`)
}

await main(process.argv[2] ?? '')
