import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { after, before, beforeEach, test } from 'node:test'
import { geometryArea_km2 } from '@swath/geo/area.ts'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { createMemorySource, openRaster, readWindow, crsToLonLat, type Raster } from '@swath/raster'
import {
  collectionList,
  landingPage,
  stacItem,
  startTestServer,
  type TestServer,
} from '../../../../test/hosts/stac-server.ts'
import { findCaptures, waitForOrder } from '../../../../test/orders.ts'
import { startTestApp, type TestApp } from '../../../../test/test-app.ts'
import { createTestOrganization, type TestOrganization } from '../../../../test/test-organizations.ts'
import { knownStacHosts } from '../../../platform/integrations/hosts/known-hosts.ts'
import { createStacHost } from '../../../platform/integrations/hosts/stac/stac-host.ts'
import { createSafeFetch } from '../../../platform/integrations/safe-fetch.ts'

/** Scenes of a STAC API, bought whole and in part. The file is tiled and holds five bands in UTM. */
const demo = new URL('../../../../demo/', import.meta.url)
const bytes = new Uint8Array(await readFile(new URL('scenes/sentinel2-bolzano/S2_L2A_sample.tif', demo)))
const { scenes } = JSON.parse(await readFile(new URL('scenes.json', demo), 'utf8')) as {
  scenes: { id: string; geometry: AreaGeometry; bbox: number[] }[]
}
const footprint = scenes.find(({ id }) => id === 's2-bolzano-20220612')!
const metadata = '<metadata>as it is</metadata>'

let app: TestApp
let org: TestOrganization
let api: TestServer
let source: Raster
/** Whether the server of the files supports ranges. */
let sendsRanges = true
before(async () => {
  source = await openRaster(createMemorySource(bytes, 'source'))
  api = await startTestServer(({ path }, url) => {
    if (path === '/') return { body: landingPage(url) }
    if (path === '/collections') return { body: collectionList }
    if (path === '/metadata.xml') return { body: metadata }
    if (path === '/scene.tif')
      return { headers: { etag: '"1"' }, body: bytes, ...(sendsRanges ? {} : { ranges: false }) }
    return { body: { type: 'FeatureCollection', features: [sceneItem()] } }
  })
  const config = { outside_timeout_ms: 5000, outside_limit_bytes: 64 * 1024 * 1024 }
  const stac = createStacHost(
    { ...knownStacHosts['earth-search'], collections: null, name: 'stac', url: api.url, allow_private: true },
    {
      clock: { now: () => new Date('2026-01-01T00:00:00Z') },
      token: null,
      createFetch: (outside_allow) => createSafeFetch({ config: { ...config, outside_allow } }),
    },
  )
  app = await startTestApp({ hosts: [stac] })
  org = await createTestOrganization(app)
})
after(async () => {
  await app?.close()
  await api?.close()
})
beforeEach(() => {
  api.requests.length = 0
  sendsRanges = true
})

function sceneItem() {
  const data = { href: 'scene.tif', type: 'image/tiff; application=geotiff', roles: ['data'] }
  return stacItem('alps', '2025-01-01T00:00:00Z', {
    geometry: footprint.geometry,
    bbox: footprint.bbox,
    properties: {
      datetime: '2025-01-01T00:00:00Z',
      'eo:cloud_cover': 7,
      gsd: 10,
      'proj:epsg': 32_632,
      'proj:shape': [source.height, source.width],
    },
    assets: {
      visual: { ...data, 'file:checksum': `1220${sha256(bytes)}`, 'file:size': bytes.length },
      product_metadata: { href: 'metadata.xml', type: 'application/xml', roles: ['metadata'] },
      lost_metadata: { href: 'lost.xml', type: 'application/xml', roles: ['metadata'], 'file:size': 1 },
      thumbnail: { href: 'preview.png', type: 'image/png', roles: ['thumbnail'] },
    },
  })
}

const sha256 = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex')

interface StacItemJson {
  readonly geometry: AreaGeometry
  readonly properties: Readonly<Record<string, unknown>>
  readonly assets: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** Orders the scene in an area, by default as a whole, and waits for its item. */
async function buy(geometry?: AreaGeometry) {
  const { client } = org.owner
  const [capture] = await findCaptures(client, 'stac', ['alps'])
  const captures = [geometry ? { ...capture!, geometry: geometry as never } : capture!]
  const { id: order_id } = await client.call('orders.archive.place', { captures })
  await waitForOrder(client, order_id, 'FULFILLED')
  const [feature] = (await client.call('orders.list_assets', { order_id })).features
  const item_id = feature!.item_id
  const item = (await client.call('items.get_stac', { item_id })) as unknown as StacItemJson
  const download = async (key: string): Promise<Uint8Array> => {
    const { url } = await client.call('items.asset.download', { item_id, asset_id: feature!.assets[key]!.id })
    return new Uint8Array(await (await fetch(url)).arrayBuffer())
  }
  return { order_id, item_id, item, download }
}

/** The numbers of bytes of the file that range requests read; null for a request of the whole. */
function requestedBytes(): (number | null)[] {
  return api.requests
    .filter(({ path }) => path === '/scene.tif')
    .map(({ headers }) => {
      const range = /^bytes=(\d+)-(\d+)$/.exec(String(headers['range'] ?? ''))
      return range ? Math.min(Number(range[2]), bytes.length - 1) - Number(range[1]) + 1 : null
    })
}

const window = [300, 290, 480, 420] as const

/** The window of the file as an area. */
function areaOfWindow(): AreaGeometry {
  const [left, top, right, bottom] = window
  const [x, width, , y, , height] = source.affine
  const corner = (column: number, row: number) => crsToLonLat(source.crs!, x + column * width, y + row * height)
  const corners = [corner(left, bottom), corner(right, bottom), corner(right, top), corner(left, top)]
  const ring = [...corners, corners[0]!].map(([longitude, latitude]) => [longitude, latitude] as [number, number])
  return { type: 'Polygon', coordinates: [ring] }
}

test('an order of an area delivers the pixels of the source in it, and reads no more than their blocks', async () => {
  const area = areaOfWindow()
  const { item, download, order_id } = await buy(area)
  const [left, top, right, bottom] = window
  const delivered = await download('visual')
  const raster = await openRaster(createMemorySource(delivered, 'delivered'))
  assert.deepEqual([raster.width, raster.height], [right - left, bottom - top])
  const whole = [0, 0, raster.width, raster.height] as const
  assert.deepEqual((await readWindow(raster, { window: whole })).data, (await readWindow(source, { window })).data)
  const requested = requestedBytes()
  assert.ok(!requested.includes(null))
  const total = requested.reduce<number>((sum, count) => sum + (count ?? 0), 0)
  assert.ok(total < bytes.length / 2, `${total} of ${bytes.length}`)
  const { visual } = item.assets
  assert.deepEqual(visual!['proj:shape'], [bottom - top, right - left])
  assert.deepEqual((visual!['proj:transform'] as number[]).slice(0, 6), [
    10,
    0,
    source.affine[0] + 10 * left,
    0,
    -10,
    source.affine[3] - 10 * top,
  ])
  assert.equal(visual!['file:checksum'], `1220${sha256(delivered)}`)
  assert.equal(visual!['file:size'], delivered.length)
  assert.deepEqual([item.properties['proj:shape'], item.properties['eo:cloud_cover']], [undefined, 7])
  const ratio = geometryArea_km2(item.geometry) / geometryArea_km2(area)
  assert.ok(Math.abs(ratio - 1) < 1e-6, String(ratio))
  const { covered, remainder } = await org.owner.client.call('orders.coverage.get', { order_id })
  assert.deepEqual([Math.round(covered.percentage), Math.round(remainder.percentage)], [100, 0])
})

test('a clipped item is derived from its order and scene', async () => {
  const { item_id, order_id } = await buy(areaOfWindow())
  const { edges } = await org.owner.client.call('provenance.get', { entity_type: 'item', entity_id: item_id })
  assert.deepEqual(
    edges.map(({ relation, dst_type, dst_id }) => [relation, dst_type, dst_id]),
    [
      ['delivered_by', 'order', order_id],
      ['derived_from', 'capture', 'stac:alps'],
    ],
  )
})

test('documents are delivered as they are, and one that cannot be fetched does not prevent the delivery', async () => {
  const { item, download } = await buy(areaOfWindow())
  assert.deepEqual(Object.keys(item.assets).sort(), ['product_metadata', 'thumbnail', 'visual'])
  assert.deepEqual(item.assets['product_metadata']!['roles'], ['metadata'])
  assert.equal(Buffer.from(await download('product_metadata')).toString(), metadata)
})

test('an order of the whole footprint is downloaded, checked and delivered whole', async () => {
  const { item, download } = await buy()
  const raster = await openRaster(createMemorySource(await download('visual'), 'delivered'))
  assert.deepEqual([raster.width, raster.height], [source.width, source.height])
  assert.deepEqual(item.geometry, footprint.geometry)
})

test('a file whose server sends no ranges is downloaded, and clipped then', async () => {
  sendsRanges = false
  const { item } = await buy(areaOfWindow())
  const [left, top, right, bottom] = window
  assert.deepEqual(item.assets['visual']!['proj:shape'], [bottom - top, right - left])
  assert.ok(requestedBytes().includes(null))
})

test('an area beside the footprint is refused before anything is ordered', async () => {
  const { client } = org.owner
  const [capture] = await findCaptures(client, 'stac', ['alps'])
  const ring = [[0, 0], [1, 0], [1, 1], [0, 0]] // prettier-ignore
  const captures = [{ ...capture!, geometry: { type: 'Polygon', coordinates: [ring] } }]
  await assert.rejects(client.call('orders.archive.place', { captures }), { problem: 'validation', status: 422 })
  assert.deepEqual(requestedBytes(), [])
})
