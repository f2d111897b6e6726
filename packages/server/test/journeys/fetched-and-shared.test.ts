import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Client } from '@swath/client/client.ts'
import { placeScenes, waitForOrder } from '../orders.ts'
import { makeOrganization } from '../people.ts'
import { bootHouse, inHours, type TestHouse } from '../setup.ts'

let house: TestHouse
let client: Client
let order_id: string
let item_id: string
let asset_id: string
before(async () => {
  house = await bootHouse({ environment: { DOWNLOADS_PER_ASSET_PER_DAY: '4' } })
  client = (await makeOrganization(house, 0)).owner.client
  order_id = await placeScenes(client, 'open', ['hls-exe-20210613'])
  await waitForOrder(client, order_id, 'FULFILLED')
  const manifest = await client.call('orders.list_assets', { order_id })
  item_id = manifest.features[0]!.item_id
  asset_id = manifest.features[0]!.assets['data']!.id
})
after(() => house?.close())

const visitor = (operation: string, input: object): Promise<Response> =>
  fetch(`${house.url}/v1/op/${operation}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(input),
  })

test('an item and an order download as one ZIP of known size', async () => {
  for (const [operation, field, id] of [
    ['items.download', 'item_id', item_id],
    ['orders.download', 'order_id', order_id],
  ] as const) {
    const minted = await client.call<{ url: string; file_count: number }>(operation, { [field]: id })
    const head = await fetch(minted.url, { method: 'HEAD' })
    const answer = await fetch(minted.url)
    const bytes = Buffer.from(await answer.arrayBuffer())
    assert.equal(answer.status, 200, operation)
    assert.equal(String(bytes.length), answer.headers.get('content-length'))
    assert.equal(head.headers.get('content-length'), answer.headers.get('content-length'))
    assert.equal(bytes.toString('latin1', 0, 4), 'PK\u0003\u0004')
    assert.match(answer.headers.get('content-disposition') ?? '', /^attachment; filename="[\w.-]+\.zip"/)
    const left = await fetch(minted.url)
    await left.body!.cancel()
    for (const other of [`${minted.url.slice(0, -4)}wxyz`, minted.url.replace(id, asset_id)])
      assert.equal((await fetch(other)).status, 403, other)
  }
})

test('URLs of a visitor expire with the share link, and their downloads count towards the cap of the asset', async () => {
  const password = 'let me see it'
  const link = await client.call<{ id: string; token: string }>('share.link.create', {
    target_type: 'item',
    target_id: item_id,
    permission: 'download',
    password,
    expires_at: inHours(house, 24),
  })
  const session = (await (await visitor('share.session.create', { token: link.token, password })).json()) as {
    token: string
    tilejson_url: string
  }
  const { tiles, center } = (await (await fetch(session.tilejson_url)).json()) as { tiles: string[]; center: number[] }
  assert.equal(center.length, 3)
  const tile = await fetch(tiles[0]!.replace('{z}', '2').replace('{x}', '1').replace('{y}', '1'))
  assert.equal(tile.headers.get('content-type'), 'image/png')
  await tile.arrayBuffer()
  const minted = await visitor('share.asset.download', { token: session.token, item_id, asset_id })
  const { url } = (await minted.json()) as { url: string }
  const part = await fetch(url, { headers: { range: 'bytes=0-99' } })
  assert.equal((await part.arrayBuffer()).byteLength, 100)
  for (const [from, to] of [
    [asset_id, item_id],
    [link.id, item_id],
    ['%3Alink', '%3alinc'],
  ] as const)
    assert.equal((await fetch(url.replaceAll(from, to))).status, 403, from)
  assert.equal((await visitor('share.asset.download', { token: session.token, item_id, asset_id })).status, 200)
  const capped = await visitor('share.asset.download', { token: session.token, item_id, asset_id })
  assert.equal(capped.status, 429)
  assert.ok(Number(capped.headers.get('retry-after')) > 0)
  await assert.rejects(client.call('items.asset.download', { item_id, asset_id }), { problem: 'download-cap' })
  await client.call('share.link.revoke', { link_id: link.id })
  assert.equal((await fetch(url)).status, 410)
  assert.equal((await fetch(tiles[0]!.replace('{z}', '2').replace('{x}', '1').replace('{y}', '1'))).status, 410)
  assert.deepEqual(await sentThrough(link.id), { sent_bytes: 100, download_count: 2 })
})

/** Reads the usage of a link; egress is recorded a moment after the response, so it polls. */
async function sentThrough(link_id: string): Promise<{ sent_bytes: number; download_count: number }> {
  for (;;) {
    const { link } = await client.call<{ link: { sent_bytes: number; download_count: number } }>('share.link.get', {
      link_id,
    })
    if (link.sent_bytes > 0) return { sent_bytes: link.sent_bytes, download_count: link.download_count }
  }
}

test('range requests for a file redirect to one URL and count as one download', async () => {
  const { assets } = await client.call<{ assets: { id: string; key: string }[] }>('items.list_assets', { item_id })
  const { id } = assets.find(({ key }) => key === 'thumbnail')!
  const href = `/api/v1/items/${item_id}/assets/${id}`
  const led = async (way: string, more: RequestInit = {}): Promise<Response> =>
    client.fetch(`${href}${way}`, { redirect: 'manual', ...more })
  const addresses = new Set<string | null>()
  for (let part = 0; part < 10; part++) {
    const answer = await led('', { headers: { range: `bytes=${part * 10}-${part * 10 + 9}` } })
    assert.equal(answer.status, 302)
    addresses.add(answer.headers.get('location'))
  }
  assert.equal(addresses.size, 1)
  const whole = await client.fetch(href)
  assert.ok((await whole.arrayBuffer()).byteLength > 100)
  // The fourth download, after two ZIPs and the ranges.
  assert.equal((await led('/download')).status, 302)
  assert.equal((await led('/download')).status, 429)
  assert.equal((await led('')).status, 302, 'an issued URL stays usable')
})
