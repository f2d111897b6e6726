import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { stacFaults } from '../stac-schemas.ts'
import { eventsOf, waitForOrder } from '../orders.ts'
import { makeOrganization, type TestOrganization } from '../people.ts'
import { bootHouse, type TestHouse } from '../setup.ts'

let house: TestHouse
let made: TestOrganization
before(async () => {
  house = await bootHouse()
  made = await makeOrganization(house, 100_000)
})
after(() => house?.close())

/** State that one step of the journey passes to the next. */
const found: {
  captures: { id: string; geometry: Record<string, unknown>; host: string }[]
  item: string
  asset: string
} = {
  captures: [],
  item: '',
  asset: '',
}

test('search: the open scene over Bolzano is free, the commercial aerial scene has a price', async () => {
  const { client } = made.owner
  const free = await client.call('catalog.search', { host_name: 'open', bbox: [11.3, 46.4, 11.4, 46.5] })
  assert.deepEqual(
    free.features.map((feature) => [feature.id, feature['service:price'].credits]),
    [['s2-bolzano-20220612', 0]],
  )
  const priced = await client.call('catalog.search', { host_name: 'commercial', ids: ['naip-va-17n'] })
  const [scene] = priced.features
  const price = scene!['service:price']
  assert.equal(price.unit, 'km2')
  assert.equal(price.credits, Math.ceil(Math.max(price.charged_km2!, price.minimum_km2!) * price.rate_credits! - 1e-6))
  assert.equal(price.aud, price.credits / 100)
  found.captures = [
    { id: scene!.id, geometry: scene!.geometry as unknown as Record<string, unknown>, host: 'commercial' },
  ]
})

test('estimate and order: the prices of search, estimate and order are equal', async () => {
  const { client } = made.owner
  const { captures } = found
  const estimate = await client.call('orders.archive.estimate', { captures })
  const search = await client.call('catalog.search', { host_name: 'commercial', ids: ['naip-va-17n'] })
  assert.equal(estimate.total_credits, search.features[0]!['service:price'].credits)
  const placed = await client.call('orders.archive.place', { captures, licenseType: 'extended' })
  assert.equal(placed.totalCredits, estimate.total_credits)
  assert.equal(placed.totalAud, estimate.total_aud)
  assert.equal(placed.projectId, made.project)
  assert.equal(placed.status, 'processing')
  const order = await waitForOrder(client, placed.id, 'FULFILLED')
  assert.equal(order.creditsCaptured, estimate.total_credits)
  const manifest = await client.call('orders.list_assets', { order_id: placed.id })
  found.item = manifest.features[0]!.item_id
  found.asset = manifest.features[0]!.assets['data']!.id
})

test('the item is valid STAC with its source and licence', async () => {
  const { client } = made.owner
  const item = await client.call('items.get_stac', { item_id: found.item })
  assert.deepEqual(await stacFaults(item as never), [])
  const properties = item.properties as Record<string, unknown>
  assert.equal(properties['license'], 'proprietary')
  assert.equal(properties['service:licence'], 'extended')
  const linked = (rel: string) => item.links.find((link) => link.rel === rel)
  assert.match(linked('license')?.title ?? '', /extended/)
  const order = await client.fetch(linked('via')!.href)
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
  assert.equal(data['href'], `${house.url}/api/v1/items/${found.item}/assets/${found.asset}`)
  assert.equal((await eventsOf(client, found.item))[0]?.event_type, 'item.created')
})

test('download: the signed URL serves the whole file, ranges and HEAD without a token, and the checksum matches', async () => {
  const { client } = made.owner
  const { assets } = await client.call('items.list_assets', { item_id: found.item })
  const asset = assets.find(({ key }) => key === 'data')!
  const signed = await client.call('items.asset.download', { item_id: found.item, asset_id: found.asset })
  assert.equal(signed.expires_in_seconds, 900)
  const whole = await fetch(signed.url)
  const bytes = Buffer.from(await whole.arrayBuffer())
  assert.equal(whole.headers.get('content-type'), asset.media_type)
  assert.equal(bytes.length, asset.file_size_bytes)
  assert.equal(`1220${createHash('sha256').update(bytes).digest('hex')}`, asset.checksum)

  const part = await fetch(signed.url, { headers: { range: 'bytes=100-299' } })
  assert.equal(part.status, 206)
  assert.equal(part.headers.get('content-range'), `bytes 100-299/${bytes.length}`)
  assert.deepEqual(Buffer.from(await part.arrayBuffer()), bytes.subarray(100, 300))
  const end = await fetch(signed.url, { headers: { range: 'bytes=-16' } })
  assert.deepEqual(Buffer.from(await end.arrayBuffer()), bytes.subarray(-16))
  const beyond = await fetch(signed.url, { headers: { range: `bytes=${bytes.length}-` } })
  assert.equal(beyond.status, 416)
  const head = await fetch(signed.url, { method: 'HEAD' })
  assert.equal(head.headers.get('content-length'), String(bytes.length))
  assert.equal((await head.arrayBuffer()).byteLength, 0)

  const forged = await fetch(signed.url.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')))
  assert.ok(forged.status === 403 || forged.status === 410 || forged.status === 401, String(forged.status))
})

test('render: tiles have pixels inside the item and are transparent outside', async () => {
  const { client } = made.owner
  const tilejson = await client.call('items.tile.tilejson', { item_id: found.item })
  const [west, south, east, north] = tilejson.bounds as [number, number, number, number]
  const [longitude, latitude] = [(west + east) / 2, (south + north) / 2]
  const z = tilejson.maxzoom - 1
  const size = 2 ** z
  const x = Math.floor(((longitude + 180) / 360) * size)
  const sine = Math.sin((latitude * Math.PI) / 180)
  const y = Math.floor((0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * size)
  const drawn: Uint8Array[] = []
  for (const extra of [
    {},
    { bands: 'nir,red,green' },
    { expression: '(nir-red)/(nir+red)', rescale: '-1,1', colormap: 'viridis' },
  ]) {
    const bytes = await client.bytes('items.tile.render', { item_id: found.item, z, x, y, format: 'png', ...extra })
    assert.deepEqual([...bytes.subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47])
    drawn.push(bytes)
  }
  assert.equal(new Set(drawn.map((bytes) => Buffer.from(bytes).toString('base64'))).size, 3)
  assert.ok(drawn.every((bytes) => bytes.length > 5000))
  const outside = await client.bytes('items.tile.render', { item_id: found.item, z: 8, x: 0, y: 0, format: 'png' })
  assert.ok(outside.length < 2000)
  const url = tilejson.tiles[0]!.replace('{z}', String(z)).replace('{x}', String(x)).replace('{y}', String(y))
  const tile = await client.fetch(url)
  assert.equal(tile.status, 200)
  assert.match(tile.headers.get('content-type') ?? '', /^image\//)
  const etag = tile.headers.get('etag')
  assert.ok(etag)
  const again = await client.fetch(url, { headers: { 'if-none-match': etag } })
  assert.equal(again.status, 304)
  assert.equal((await again.arrayBuffer()).byteLength, 0)
})
