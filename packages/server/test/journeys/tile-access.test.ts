import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '@swath/client/client.ts'
import { placeSceneOrder, waitForOrder } from '../orders.ts'
import { createTestOrganization, type TestOrganization, type TestUser } from '../test-organizations.ts'
import { startTestApp, type TestApp } from '../test-app.ts'

let app: TestApp
let org: TestOrganization
let member: TestUser
let item_id: string
before(async () => {
  app = await startTestApp()
  org = await createTestOrganization(app)
  const { client } = org.owner
  const order_id = await placeSceneOrder(client, 'open', ['hls-exe-20210613'])
  await waitForOrder(client, order_id, 'FULFILLED')
  item_id = (await client.call('orders.list_assets', { order_id })).features[0]!.item_id
  member = await org.addMember('member')
})
after(() => app?.close())

/** Another process hears of a change some milliseconds after the response to it. */
const max_notification_ms = Number(process.env['TEST_SERVING_PROCESSES'] ?? 0) > 1 ? 900 : 0

/** Asserts the status of a tile of the item, which other requests for it have cached. */
async function assertTileStatus(client: Client, expected: number, query = ''): Promise<void> {
  const readStatus = async (): Promise<number> => {
    const response = await client.fetch(`/api/v1/items/${item_id}/tiles/2/1/1.png${query}`)
    await response.arrayBuffer()
    return response.status
  }
  const end_ms = performance.now() + max_notification_ms
  while ((await readStatus()) !== expected && performance.now() < end_ms) await pause(50)
  for (let request = 0; request < 4; request++) assert.equal(await readStatus(), expected)
}

test('a change of the permissions of a user applies to the next tile', async () => {
  const { client } = org.owner
  const membership = { project_id: org.project, user_id: member.user }
  await assertTileStatus(member.client, 403)
  await client.call('projects.add_member', { ...membership, role: 'viewer' })
  await assertTileStatus(member.client, 200)
  await client.call('projects.remove_member', membership)
  await assertTileStatus(member.client, 403)
  await assertTileStatus(client, 200)
})

test('other band names, and the deletion and restoration of the item apply to the next tile', async () => {
  const { client } = org.owner
  const { assets } = await client.call<{
    assets: { id: string; key: string; roles: string[]; band_names: string[] | null }[]
  }>('items.list_assets', { item_id })
  const { id: asset_id, band_names } = assets.find(({ roles }) => roles.includes('data'))!
  await assertTileStatus(client, 422, '?bands=the_first&rescale=0,1')
  await client.call('items.set_asset_band_names', {
    item_id,
    asset_id,
    band_names: ['the_first', ...band_names!.slice(1)],
  })
  await assertTileStatus(client, 200, '?bands=the_first&rescale=0,1')
  await client.call('items.delete', { item_id })
  await assertTileStatus(client, 404)
  await client.call('items.restore', { item_id })
  await assertTileStatus(client, 200)
})

test('the tiles of a deleted project are not found', async () => {
  await assertTileStatus(org.owner.client, 200)
  await org.owner.client.call('projects.delete', { project_id: org.project })
  await assertTileStatus(org.owner.client, 404)
})
