import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Client } from '@swath/client/client.ts'
import { placeSceneOrder, waitForOrder } from '../orders.ts'
import { createTestOrganization } from '../test-organizations.ts'
import { startTestApp, hoursFromNow, type TestApp } from '../test-app.ts'

let app: TestApp
let client: Client
let order_id: string
let item_id: string
let asset_id: string
before(async () => {
  app = await startTestApp({ environment: { DOWNLOADS_PER_ASSET_PER_DAY: '4' } })
  client = (await createTestOrganization(app, 0)).owner.client
  order_id = await placeSceneOrder(client, 'open', ['hls-exe-20210613'])
  await waitForOrder(client, order_id, 'FULFILLED')
  const manifest = await client.call('orders.list_assets', { order_id })
  item_id = manifest.features[0]!.item_id
  asset_id = manifest.features[0]!.assets['data']!.id
})
after(() => app?.close())

const callAsVisitor = (operation: string, input: object): Promise<Response> =>
  fetch(`${app.url}/v1/op/${operation}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(input),
  })

test('an item and an order download as one ZIP of known size', async () => {
  for (const [operation, field, id] of [
    ['items.download', 'item_id', item_id],
    ['orders.download', 'order_id', order_id],
  ] as const) {
    const issued = await client.call<{ url: string; file_count: number }>(operation, { [field]: id })
    const head = await fetch(issued.url, { method: 'HEAD' })
    const response = await fetch(issued.url)
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
    const bytes = Buffer.from(await response.arrayBuffer())
    assert.equal(response.status, 200, operation)
    assert.equal(String(bytes.length), response.headers.get('content-length'))
    assert.equal(head.headers.get('content-length'), response.headers.get('content-length'))
    assert.equal(bytes.toString('latin1', 0, 4), 'PK\u0003\u0004')
    assert.match(response.headers.get('content-disposition') ?? '', /^attachment; filename="[\w.-]+\.zip"/)
    const aborted = await fetch(issued.url)
    await aborted.body!.cancel()
    for (const other of [`${issued.url.slice(0, -4)}wxyz`, issued.url.replace(id, asset_id)])
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
    expires_at: hoursFromNow(app, 24),
  })
  const session = (await (await callAsVisitor('share.session.create', { token: link.token, password })).json()) as {
    token: string
    tilejson_url: string
  }
  const { tiles, center } = (await (await fetch(session.tilejson_url)).json()) as { tiles: string[]; center: number[] }
  assert.equal(center.length, 3)
  const tile = await fetch(tiles[0]!.replace('{z}', '2').replace('{x}', '1').replace('{y}', '1'))
  assert.equal(tile.headers.get('content-type'), 'image/png')
  await tile.arrayBuffer()
  const issued = await callAsVisitor('share.asset.download', { token: session.token, item_id, asset_id })
  const { url } = (await issued.json()) as { url: string }
  const part = await fetch(url, { headers: { range: 'bytes=0-99' } })
  assert.equal(part.headers.get('x-content-type-options'), 'nosniff')
  assert.equal((await part.arrayBuffer()).byteLength, 100)
  for (const [from, to] of [
    [asset_id, item_id],
    [link.id, item_id],
    ['%3Alink', '%3alinc'],
  ] as const)
    assert.equal((await fetch(url.replaceAll(from, to))).status, 403, from)
  assert.equal((await callAsVisitor('share.asset.download', { token: session.token, item_id, asset_id })).status, 200)
  const overCap = await callAsVisitor('share.asset.download', { token: session.token, item_id, asset_id })
  assert.equal(overCap.status, 429)
  assert.ok(Number(overCap.headers.get('retry-after')) > 0)
  await assert.rejects(client.call('items.asset.download', { item_id, asset_id }), { problem: 'download-cap' })
  await client.call('share.link.revoke', { link_id: link.id })
  assert.equal((await fetch(url)).status, 410)
  assert.equal((await fetch(tiles[0]!.replace('{z}', '2').replace('{x}', '1').replace('{y}', '1'))).status, 410)
  assert.deepEqual(await readLinkUsage(link.id), { sent_bytes: 100, download_count: 2 })
})

/** Reads the usage of a link; egress is recorded a moment after the response, so it polls. */
async function readLinkUsage(link_id: string): Promise<{ sent_bytes: number; download_count: number }> {
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
  const requestRedirect = async (suffix: string, more: RequestInit = {}): Promise<Response> =>
    client.fetch(`${href}${suffix}`, { redirect: 'manual', ...more })
  const urls = new Set<string | null>()
  for (let part = 0; part < 10; part++) {
    const response = await requestRedirect('', { headers: { range: `bytes=${part * 10}-${part * 10 + 9}` } })
    assert.equal(response.status, 302)
    urls.add(response.headers.get('location'))
  }
  assert.equal(urls.size, 1)
  const fullResponse = await client.fetch(href)
  assert.ok((await fullResponse.arrayBuffer()).byteLength > 100)
  // The fourth download, after two ZIPs and the ranges.
  assert.equal((await requestRedirect('/download')).status, 302)
  assert.equal((await requestRedirect('/download')).status, 429)
  assert.equal((await requestRedirect('')).status, 302, 'an issued URL stays usable')
})
