import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { SceneAreaScore } from '@swath/contract/schemas/catalog.ts'
import { encodePixelBlockAsImage } from '@swath/raster'
import {
  stacItem,
  startTestServer,
  type PlannedResponse,
  type RecordedRequest,
  type TestServer,
} from '../../../test/hosts/stac-server.ts'
import { findCaptures, waitForOrder } from '../../../test/orders.ts'
import { startTestApp, type TestApp } from '../../../test/test-app.ts'
import { createTestOrganization, type TestOrganization } from '../../../test/test-organizations.ts'

interface DemoScene {
  readonly id: string
  readonly geometry: object
  readonly bbox: readonly number[]
  readonly assets: readonly { readonly files: readonly { readonly path: string }[] }[]
}

const demo = new URL('../../../demo/', import.meta.url)
const { scenes } = JSON.parse(await readFile(new URL('scenes.json', demo), 'utf8')) as { scenes: DemoScene[] }
const { geometry, bbox, assets } = scenes.find(({ id }) => id === 'naip-va-17n')!

const prefix = '/imagery/sale/'
const createItem = (id: string, assets: Readonly<Record<string, string>>) => {
  const typeOf = (href: string) => (href.endsWith('.tif') ? 'image/tiff; application=geotiff' : 'image/png')
  const listed = Object.entries(assets).map(([role, file]) => {
    const href = `s3://imagery/sale/files/${file}`
    return [role, { href, type: typeOf(href), roles: [role] }]
  })
  const item = stacItem(id, '2025-01-01T00:00:00Z', { geometry, bbox, assets: Object.fromEntries(listed) })
  return [`items/${id}.json`, Buffer.from(JSON.stringify(item))] as const
}
const white = { width: 8, height: 8, bands: 3, data: new Uint8Array(192).fill(250), mask: new Uint8Array(64).fill(255) }
const objects: ReadonlyMap<string, Uint8Array> = new Map([
  createItem('flight-1', { data: 'flight-1.tif' }),
  createItem('flight-2', { data: 'lost.tif', thumbnail: 'flight-2.png' }),
  createItem('flight-3', { data: 'lost.tif' }),
  ['files/flight-1.tif', new Uint8Array(await readFile(new URL(`scenes/${assets[0]!.files[0]!.path}`, demo)))],
  ['files/flight-2.png', encodePixelBlockAsImage(white, null, 'png')],
])

/** The listing of a bucket, one object a page. */
function listObjects(query: URLSearchParams): string {
  const keys = [...objects.keys()]
  const at = Number(query.get('continuation-token') ?? 0)
  const key = keys[at]!
  const next = at + 1 < keys.length ? `<NextContinuationToken>${at + 1}</NextContinuationToken>` : ''
  const contents = `<Contents><Key>sale/${key}</Key><Size>${objects.get(key)!.length}</Size><ETag>"1"</ETag></Contents>`
  return `<?xml version="1.0"?><ListBucketResult><IsTruncated>${next !== ''}</IsTruncated>${next}${contents}</ListBucketResult>`
}

/** Responds to reads as an object store does. */
function respond({ method, path, query }: RecordedRequest): PlannedResponse {
  if (query.has('list-type')) return { headers: { 'content-type': 'application/xml' }, body: listObjects(query) }
  const bytes = path.startsWith(prefix) ? objects.get(path.slice(prefix.length)) : undefined
  if (!bytes) return { status: 404, body: '' }
  return { headers: method === 'HEAD' ? { 'content-length': String(bytes.length) } : {}, body: bytes }
}

let folder: string
let store: TestServer
let app: TestApp
let org: TestOrganization
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'swath-bucket-archive-'))
  store = await startTestServer(respond)
  const file = join(folder, 'hosts.json')
  const price = { product: 'Flights', rate_credits: 100, minimum_km2: 1, licences: ['standard'] }
  const archive = {
    kind: 'archive',
    name: 'flights',
    title: 'Flights',
    license: 'proprietary',
    license_url: 'https://example.com/licence',
    attribution: 'Example',
    bucket: 's3://imagery/sale',
    collections: [{ id: 'scenes', title: 'Scenes', price }],
  }
  await writeFile(file, JSON.stringify({ hosts: [archive] }))
  app = await startTestApp({
    environment: {
      CATALOG_HOSTS_FILE: file,
      AWS_ENDPOINT_URL_S3: store.url,
      AWS_ACCESS_KEY_ID: 'reader',
      AWS_SECRET_ACCESS_KEY: 'secret',
    },
  })
  org = await createTestOrganization(app)
})
after(async () => {
  await app?.close()
  await store?.close()
  await rm(folder, { recursive: true, force: true })
})

test('clouds are measured in ranges of a file in a bucket, or by the thumbnail of a scene whose file cannot be read', async () => {
  const image_ids = ['flight-1', 'flight-2', 'flight-3']
  const input = { host_name: 'flights', image_ids, geometry }
  const { scores } = (await org.owner.client.call('catalog.aoi_score', input)) as { scores: SceneAreaScore[] }
  assert.deepEqual(
    scores.map(({ source, cloud_percent }) => [source, cloud_percent && Math.round(cloud_percent)]),
    [
      ['brightness', 0],
      ['quicklook', 100],
      [null, null],
    ],
  )
  assert.ok(scores[0]!.measured_percent > 95, 'the footprint is that of the pixels')
  assert.match(scores[2]!.reason ?? '', /The host "flights" did not respond/)
  assert.ok(store.requests.some(({ headers }) => /^bytes=\d+-\d+$/.test(String(headers['range']))))
})

test('an archive in a bucket is searched, previewed and sold, with the credentials of the object store', async () => {
  const { client } = org.owner
  const captures = await findCaptures(client, 'flights', ['flight-1'])
  const quicklook = await client.fetch('/catalog/flights/image/flight-1/quicklook')
  assert.deepEqual([quicklook.status, quicklook.headers.get('content-type')], [200, 'image/jpeg'])
  const { id } = await client.call('orders.archive.place', { captures })
  const order = await waitForOrder(client, id, 'FULFILLED')
  assert.equal(order.itemCount, 1)
  assert.ok(order.creditsCaptured > 0 && order.creditsCaptured === order.totalCredits)
  assert.ok(store.requests.length > 0)
  for (const { headers, method } of store.requests) {
    assert.match(String(headers['authorization']), /Credential=reader\//)
    assert.ok(method === 'GET' || method === 'HEAD', 'an archive is only read')
  }
})
