import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { geometryArea_km2 } from '@swath/geo/area.ts'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { knownStacHosts } from '../../src/platform/integrations/hosts/known-hosts.ts'
import { createStacHost } from '../../src/platform/integrations/hosts/stac/stac-host.ts'
import { createSafeFetch } from '../../src/platform/integrations/safe-fetch.ts'
import { createFaultyHost } from '../hosts/faulty-host.ts'
import { collectionList, landingPage, stacItem, startTestServer, type TestServer } from '../hosts/stac-server.ts'
import { findCaptures, placeSceneOrder, waitForOrder } from '../orders.ts'
import { startTestApp, type TestApp } from '../test-app.ts'
import { createTestOrganization, type TestOrganization } from '../test-organizations.ts'

const raster = await readFile(new URL('../../demo/scenes/naip-va-17n.tif', import.meta.url)).catch(() => null)
const { scenes } = JSON.parse(await readFile(new URL('../../demo/scenes.json', import.meta.url), 'utf8')) as {
  scenes: { id: string; geometry: AreaGeometry; bbox: number[]; assets: { files: { path: string }[] }[] }[]
}
const scene = scenes.find(({ id }) => id === 'naip-va-17n')!
const bytes =
  raster ?? (await readFile(new URL(`../../demo/scenes/${scene.assets[0]!.files[0]!.path}`, import.meta.url)))

/** Texts that a database cannot store, beside what a scene needs. */
const unstorable = {
  datetime: '2025-01-01T00:00:00Z',
  'eo:cloud_cover': 7,
  gsd: 10,
  title: 'a zero \u0000 character',
  platform: 'half a \ud800 pair',
}

let app: TestApp
let org: TestOrganization
let api: TestServer
before(async () => {
  api = await startTestServer(({ path }, url) => {
    if (path === '/') return { body: landingPage(url) }
    if (path === '/collections') return { body: collectionList }
    if (path.endsWith('.tif')) return { body: new Uint8Array(bytes) }
    const { geometry, bbox } = scene
    return {
      body: {
        type: 'FeatureCollection',
        features: [stacItem('Bought/1', '2025-01-01T00:00:00Z', { geometry, bbox, properties: unstorable })],
      },
    }
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
  const hosts = [
    await createFaultyHost('fails', { catalog: 'fail' }),
    await createFaultyHost('hangs', { catalog: 'stall' }),
  ]
  app = await startTestApp({ hosts: [stac, ...hosts] })
  org = await createTestOrganization(app)
})
after(async () => {
  await app?.close()
  await api?.close()
})

test('hosts that do not respond are unavailable in the list of sources, and the others are listed in time', async () => {
  const start = performance.now()
  const { sources } = await org.owner.client.call('catalog.sources.list', {})
  assert.ok(performance.now() - start < 6000)
  const statuses = Object.fromEntries(sources.map(({ id, status, message }) => [id, [status, message]]))
  assert.deepEqual(statuses, {
    open: ['available', null],
    commercial: ['available', null],
    constellation: ['available', null],
    stac: ['available', null],
    fails: ['unavailable', 'The host "fails" did not respond.'],
    hangs: ['unavailable', 'The host "hangs" did not respond.'],
  })
})

test('a capture that names no host is priced although other hosts do not respond', async () => {
  const [capture] = await findCaptures(org.owner.client, 'commercial', ['naip-va-17n'])
  const { host: _, ...unnamed } = capture!
  const estimate = await org.owner.client.call('orders.archive.estimate', { captures: [unnamed as never] })
  assert.deepEqual(estimate.errors, [])
  assert.ok(estimate.total_credits > 0)
})

/** The western half of a geometry's bounds. */
function westernHalf([west, south, east, north]: readonly number[]): AreaGeometry {
  const middle = (west! + east!) / 2
  const ring: [number, number][] = [
    [west!, south!],
    [middle, south!],
    [middle, north!],
    [west!, north!],
    [west!, south!],
  ]
  return { type: 'Polygon', coordinates: [ring] }
}

interface StacItemJson {
  readonly geometry: AreaGeometry
  readonly properties: Readonly<Record<string, unknown>>
  readonly assets: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

async function deliver(captures: readonly object[]): Promise<StacItemJson> {
  const { client } = org.owner
  const { id } = await client.call<{ id: string }>('orders.archive.place', { captures: captures as never })
  await waitForOrder(client, id, 'FULFILLED')
  const { features } = await client.call<{ features: { item_id: string }[] }>('orders.list_assets', { order_id: id })
  return (await client.call('items.get_stac', { item_id: features[0]!.item_id })) as never
}

const shapeOf = (item: StacItemJson): number[] => item.assets['data']!['proj:shape'] as number[]

test('a scene that is sold by area is delivered inside the ordered area, and the item says so', async () => {
  const { client } = org.owner
  const [capture] = await findCaptures(client, 'commercial', ['naip-va-17n'])
  const geometry = westernHalf(scene.bbox)
  const whole = await deliver([capture!])
  const half = await deliver([{ ...capture!, geometry }])
  assert.deepEqual(whole.geometry, scene.geometry)
  const ratio = geometryArea_km2(half.geometry) / geometryArea_km2(scene.geometry)
  assert.ok(ratio > 0.4 && ratio < 0.6, String(ratio))
  const [rows, columns] = shapeOf(half)
  const [wholeRows, wholeColumns] = shapeOf(whole)
  assert.ok(columns! < wholeColumns! * 0.6 && rows! <= wholeRows!, `${columns} of ${wholeColumns}`)
})

test('a free scene of a STAC API is bought without texts that cannot be stored', async () => {
  const { client } = org.owner
  const id = await placeSceneOrder(client, 'stac', ['Bought/1'])
  const order = await waitForOrder(client, id, 'FULFILLED')
  assert.deepEqual([order.totalCredits, order.itemCount], [0, 1])
  const { features } = await client.call<{ features: { item_id: string }[] }>('orders.list_assets', { order_id: id })
  const item = (await client.call('items.get_stac', { item_id: features[0]!.item_id })) as unknown as StacItemJson
  assert.deepEqual(Object.keys(item.assets).sort(), ['thumbnail', 'visual'])
  assert.deepEqual(
    [item.properties['gsd'], item.properties['title'], item.properties['platform']],
    [10, 'Bought/1', undefined],
  )
})
