import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { validateStacItem } from '../stac-schemas.ts'
import { getEntityEvents, waitForOrder } from '../orders.ts'
import { createTestOrganization, type TestOrganization } from '../test-organizations.ts'
import { startTestApp, type TestApp } from '../test-app.ts'

let app: TestApp
let org: TestOrganization
before(async () => {
  app = await startTestApp()
  org = await createTestOrganization(app, 100_000)
})
after(() => app?.close())

/** State that one step of the journey passes to the next. */
const journey: {
  captures: { id: string; geometry: Record<string, unknown>; host: string }[]
  item: string
  asset: string
} = {
  captures: [],
  item: '',
  asset: '',
}

test('search: the open scene over Bolzano is free, the commercial aerial scene has a price', async () => {
  const { client } = org.owner
  const freeScenes = await client.call('catalog.search', { host_name: 'open', bbox: [11.3, 46.4, 11.4, 46.5] })
  assert.deepEqual(
    freeScenes.features.map((feature) => [feature.id, feature['service:price']!.credits]),
    [['s2-bolzano-20220612', 0]],
  )
  const pricedScenes = await client.call('catalog.search', { host_name: 'commercial', ids: ['naip-va-17n'] })
  const [scene] = pricedScenes.features
  const price = scene!['service:price']!
  assert.equal(price.unit, 'km2')
  assert.equal(price.credits, Math.ceil(Math.max(price.charged_km2!, price.minimum_km2!) * price.rate_credits! - 1e-6))
  assert.equal(price.aud, price.credits / 100)
  journey.captures = [
    { id: scene!.id, geometry: scene!.geometry as unknown as Record<string, unknown>, host: 'commercial' },
  ]
})

test('estimate and order: the prices of search, estimate and order are equal', async () => {
  const { client } = org.owner
  const { captures } = journey
  const estimate = await client.call('orders.archive.estimate', { captures })
  const search = await client.call('catalog.search', { host_name: 'commercial', ids: ['naip-va-17n'] })
  assert.equal(estimate.total_credits, search.features[0]!['service:price']!.credits)
  const orderResponse = await client.call('orders.archive.place', { captures, licenseType: 'extended' })
  assert.equal(orderResponse.totalCredits, estimate.total_credits)
  assert.equal(orderResponse.totalAud, estimate.total_aud)
  assert.equal(orderResponse.projectId, org.project)
  assert.equal(orderResponse.status, 'processing')
  const order = await waitForOrder(client, orderResponse.id, 'FULFILLED')
  assert.equal(order.creditsCaptured, estimate.total_credits)
  const manifest = await client.call('orders.list_assets', { order_id: orderResponse.id })
  journey.item = manifest.features[0]!.item_id
  journey.asset = manifest.features[0]!.assets['data']!.id
})

test('the item is valid STAC with its source and licence', async () => {
  const { client } = org.owner
  const item = await client.call('items.get_stac', { item_id: journey.item })
  assert.deepEqual(await validateStacItem(item as never), [])
  const properties = item.properties as Record<string, unknown>
  assert.equal(properties['license'], 'proprietary')
  assert.equal(properties['service:licence'], 'extended')
  const linkWithRel = (rel: string) => item.links.find((link) => link.rel === rel)
  assert.match(linkWithRel('license')?.title ?? '', /extended/)
  const order = await client.fetch(linkWithRel('via')!.href)
  assert.equal(order.status, 200)
  assert.equal(((await order.json()) as { licenseType: string }).licenseType, 'extended')
  assert.equal(properties['service:source'], 'TASKING')
  assert.equal((properties['providers'] as { name: string }[])[0]?.name, 'USDA Farm Service Agency')
  const data = item.assets['data'] as unknown as Record<string, unknown>
  assert.deepEqual(
    (data['eo:bands'] as { common_name?: string }[]).map((band) => band.common_name),
    ['red', 'green', 'blue', 'nir'],
  )
  assert.equal((data['raster:bands'] as unknown[]).length, 4)
  assert.equal(data['href'], `${app.url}/api/v1/items/${journey.item}/assets/${journey.asset}`)
  assert.equal((await getEntityEvents(client, journey.item))[0]?.event_type, 'item.created')
})

test('download: the signed URL serves the whole file, ranges and HEAD without a token, and the checksum matches', async () => {
  const { client } = org.owner
  const { assets } = await client.call('items.list_assets', { item_id: journey.item })
  const asset = assets.find(({ key }) => key === 'data')!
  const signed = await client.call('items.asset.download', { item_id: journey.item, asset_id: journey.asset })
  assert.equal(signed.expires_in_seconds, 900)
  const fullResponse = await fetch(signed.url)
  const bytes = Buffer.from(await fullResponse.arrayBuffer())
  assert.equal(fullResponse.headers.get('content-type'), asset.media_type)
  assert.equal(bytes.length, asset.file_size_bytes)
  assert.equal(`1220${createHash('sha256').update(bytes).digest('hex')}`, asset.checksum)

  const rangeResponse = await fetch(signed.url, { headers: { range: 'bytes=100-299' } })
  assert.equal(rangeResponse.status, 206)
  assert.equal(rangeResponse.headers.get('content-range'), `bytes 100-299/${bytes.length}`)
  assert.deepEqual(Buffer.from(await rangeResponse.arrayBuffer()), bytes.subarray(100, 300))
  const suffixResponse = await fetch(signed.url, { headers: { range: 'bytes=-16' } })
  assert.deepEqual(Buffer.from(await suffixResponse.arrayBuffer()), bytes.subarray(-16))
  const unsatisfiable = await fetch(signed.url, { headers: { range: `bytes=${bytes.length}-` } })
  assert.equal(unsatisfiable.status, 416)
  const head = await fetch(signed.url, { method: 'HEAD' })
  assert.equal(head.headers.get('content-length'), String(bytes.length))
  assert.equal((await head.arrayBuffer()).byteLength, 0)

  const tampered = await fetch(signed.url.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')))
  assert.ok(tampered.status === 403 || tampered.status === 410 || tampered.status === 401, String(tampered.status))
})

test('render: tiles have pixels inside the item and are transparent outside', async () => {
  const { client } = org.owner
  const tilejson = await client.call('items.tile.tilejson', { item_id: journey.item })
  const [west, south, east, north] = tilejson.bounds as [number, number, number, number]
  const [longitude, latitude] = [(west + east) / 2, (south + north) / 2]
  const z = tilejson.maxzoom - 1
  const size = 2 ** z
  const x = Math.floor(((longitude + 180) / 360) * size)
  const sine = Math.sin((latitude * Math.PI) / 180)
  const y = Math.floor((0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * size)
  const tiles: Uint8Array[] = []
  for (const extra of [
    {},
    { bands: 'nir,red,green' },
    { expression: '(nir-red)/(nir+red)', rescale: '-1,1', colormap: 'viridis' },
  ]) {
    const bytes = await client.bytes('items.tile.render', { item_id: journey.item, z, x, y, format: 'png', ...extra })
    assert.deepEqual([...bytes.subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47])
    tiles.push(bytes)
  }
  assert.equal(new Set(tiles.map((bytes) => Buffer.from(bytes).toString('base64'))).size, 3)
  assert.ok(tiles.every((bytes) => bytes.length > 5000))
  const emptyTile = await client.bytes('items.tile.render', { item_id: journey.item, z: 8, x: 0, y: 0, format: 'png' })
  assert.ok(emptyTile.length < 2000)
  const url = tilejson.tiles[0]!.replace('{z}', String(z)).replace('{x}', String(x)).replace('{y}', String(y))
  const tile = await client.fetch(url)
  assert.equal(tile.status, 200)
  assert.match(tile.headers.get('content-type') ?? '', /^image\//)
  const etag = tile.headers.get('etag')
  assert.ok(etag)
  const revalidated = await client.fetch(url, { headers: { 'if-none-match': etag } })
  assert.equal(revalidated.status, 304)
  assert.equal((await revalidated.arrayBuffer()).byteLength, 0)
})
