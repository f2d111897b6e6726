import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { DOMParser } from '@xmldom/xmldom'
import { findTileAt } from '@swath/geo/tile-grid.ts'
import type { TileJson } from '@swath/contract/schemas/tilejson.ts'
import { createManualClock } from '../../src/platform/clock.ts'
import { publishItemAccessChange } from '../../src/platform/database/item-access.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { newId } from '../../src/platform/ids.ts'
import { placeSceneOrder, waitForOrder } from '../orders.ts'
import { createTestOrganization, type TestOrganization } from '../test-organizations.ts'
import { decodePng } from '../rasters.ts'
import { startTestApp, type TestApp } from '../test-app.ts'

/** Maps of an item in clients that cannot send headers. */
let app: TestApp
let fixtures: MapFixture
let root: string
let tile: { z: number; x: number; y: number }
const clock = createManualClock(new Date('2026-03-01T00:00:00.000Z'))

interface MapFixture extends TestOrganization {
  readonly client: TestOrganization['owner']['client']
  readonly item: string
  readonly asset: string
  readonly collection: string
}

interface TileToken {
  readonly id: string
  readonly token: string
  readonly prefix: string
  readonly urls: { readonly tiles: string; readonly tilejson: string; readonly wmts: string } | null
}

before(async () => {
  app = await startTestApp({ clock })
  fixtures = await createMapFixture()
  root = `${app.url}/api/v1/items/${fixtures.item}/tiles`
  const { bounds, maxzoom } = await fixtures.client.call<TileJson>('items.tile.tilejson', { item_id: fixtures.item })
  const [west, south, east, north] = bounds as [number, number, number, number]
  tile = findTileAt((west + east) / 2, (south + north) / 2, maxzoom - 1)
})
after(() => app?.close())

async function createMapFixture(): Promise<MapFixture> {
  const org = await createTestOrganization(app)
  const { client } = org.owner
  const order_id = await placeSceneOrder(client, 'open', ['s2-exe-20240826'])
  await waitForOrder(client, order_id, 'FULFILLED')
  const { collection_id: collection, features } = await client.call('orders.list_assets', { order_id })
  const [feature] = features
  return { ...org, client, collection: collection!, item: feature!.item_id, asset: feature!.assets['data']!.id }
}

const createTileToken = (input: object): Promise<TileToken> =>
  fixtures.client.call<TileToken>('items.tile.token.create', input)
const tileUrl = ({ z, x, y } = tile, query = ''): string => `${root}/${z}/${x}/${y}.png${query}`
const fetchStatus = async (url: string, init: RequestInit = {}): Promise<number> => (await fetch(url, init)).status

test('a tile token in the URL opens the tiles of its item on every tile route, and nothing else', async () => {
  const { token, prefix, urls } = await createTileToken({ item_id: fixtures.item, name: 'A viewer' })
  assert.ok(token.startsWith(prefix) && token.length > prefix.length + 30)
  assert.equal(await fetchStatus(tileUrl()), 401)
  const response = await fetch(tileUrl(tile, `?key=${token}`))
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('access-control-allow-origin'), '*')
  assert.equal(response.headers.get('referrer-policy'), 'no-referrer')
  assert.match(response.headers.get('cache-control') ?? '', /^private, /)
  assert.equal(decodePng(new Uint8Array(await response.arrayBuffer())).width, 256)
  const { z, x, y } = tile
  const retinaTile = await fetch(`${root}/${z}/${x}/${y}@2x.png?TOKEN=${token}`)
  assert.equal(decodePng(new Uint8Array(await retinaTile.arrayBuffer())).width, 512)
  for (const url of Object.values(urls!)) {
    const one = url.replace('{z}', String(z)).replace('{x}', String(x)).replace('{y}', String(y))
    assert.equal(await fetchStatus(one), 200, one)
  }

  for (const url of [
    `${app.url}/api/v1/items/${fixtures.item}?key=${token}`,
    `${app.url}/api/v1/items/${fixtures.item}/assets/${fixtures.asset}?key=${token}`,
    `${app.url}/v1/op/items.tile.render?item_id=${fixtures.item}&z=${z}&x=${x}&y=${y}&key=${token}`,
    tileUrl(tile, `?key=${token.slice(0, -1)}`),
    tileUrl(tile, '?key=nonsense'),
  ]) {
    assert.equal(await fetchStatus(url), 401, url)
  }
  const headers: readonly Record<string, string>[] = [{ authorization: `Bearer ${token}` }, { 'x-api-key': token }]
  for (const header of headers) assert.equal(await fetchStatus(tileUrl(), { headers: header }), 401)
  assert.equal(await fetchStatus(tileUrl().replace(fixtures.item, newId()) + `?key=${token}`), 404)
})

test('a collection token opens its items until it expires, is revoked, or the API key that created it is revoked', async () => {
  const collectionToken = await createTileToken({ collection_id: fixtures.collection, expires_in_seconds: 60 })
  assert.equal(collectionToken.urls, null)
  const tileUrlWithKey = (token: string): string => tileUrl(tile, `?key=${token}`)
  assert.equal(await fetchStatus(tileUrlWithKey(collectionToken.token)), 200)
  const otherCollection = await fixtures.client.call<{ id: string }>('collections.create', {
    project_id: fixtures.project,
    name: 'Elsewhere',
  })
  const otherCollectionToken = await createTileToken({ collection_id: otherCollection.id })
  assert.equal(await fetchStatus(tileUrlWithKey(otherCollectionToken.token)), 404)

  const tokenList = await fixtures.client.call<{ tokens: object[] }>('items.tile.token.list', {
    collection_id: fixtures.collection,
  })
  assert.deepEqual(
    tokenList.tokens.map((one) => (one as TileToken).id),
    [collectionToken.id],
  )
  const own = await fixtures.client.call<{ tokens: TileToken[] }>('items.tile.token.list')
  assert.deepEqual(
    own.tokens.slice(0, 2).map(({ id }) => id),
    [otherCollectionToken.id, collectionToken.id],
  )
  assert.ok(!JSON.stringify(tokenList).includes(collectionToken.token.slice(collectionToken.prefix.length)))
  clock.advance(61_000)
  assert.equal(await fetchStatus(tileUrlWithKey(collectionToken.token)), 401)

  const revoked = await createTileToken({ item_id: fixtures.item })
  assert.equal(await fetchStatus(tileUrlWithKey(revoked.token)), 200)
  await fixtures.client.call('items.tile.token.revoke', { token_id: revoked.id })
  assert.equal(await fetchStatus(tileUrlWithKey(revoked.token)), 401)

  const key = await fixtures.client.call<{ id: string; key: string }>('api_keys.create', {
    name: 'map',
    permissions: ['can_write'],
  })
  const org = await fetch(`${app.url}/v1/op/items.tile.token.create`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key.key}` },
    body: JSON.stringify({ item_id: fixtures.item }),
  })
  assert.equal(org.status, 201)
  const { token } = (await org.json()) as TileToken
  assert.equal(await fetchStatus(tileUrlWithKey(token)), 200)
  await fixtures.client.call('api_keys.revoke', { key_id: key.id })
  assert.equal(await fetchStatus(tileUrlWithKey(token)), 401)
})

test('a tile token has the current permissions of its user', async () => {
  const admin = await fixtures.addMember('admin')
  const { token } = await admin.client.call<TileToken>('items.tile.token.create', { item_id: fixtures.item })
  assert.equal(await fetchStatus(tileUrl(tile, `?key=${token}`)), 200)
  await app.database.unscoped.transaction(async (tx) => {
    await tx.query(sql`update memberships set role = 'member' where user_id = ${admin.user}`)
    publishItemAccessChange(tx, fixtures.organization)
  })
  assert.equal(await fetchStatus(tileUrl(tile, `?key=${token}`)), 403)
  const both = { item_id: fixtures.item, collection_id: fixtures.collection }
  for (const input of [{}, both]) {
    await assert.rejects(fixtures.client.call('items.tile.token.create', input), /422|item_id/)
  }
})

test('a tile with a matching ETag returns 304', async () => {
  const { token } = await createTileToken({ item_id: fixtures.item })
  const url = tileUrl(tile, `?token=${token}`)
  const etag = (await fetch(url)).headers.get('etag')!
  const revalidated = await fetch(url, { headers: { 'if-none-match': `"other", W/${etag}` } })
  assert.deepEqual([revalidated.status, (await revalidated.arrayBuffer()).byteLength], [304, 0])
  assert.equal(await fetchStatus(`${url}&bands=1`, { headers: { 'if-none-match': etag } }), 200)
})

const elements = (xml: string, name: string) => [
  ...new DOMParser().parseFromString(xml, 'text/xml').getElementsByTagName(name),
]

test('WMTS: the capabilities contain key and profile in every tile URL', async () => {
  const { token, urls } = await createTileToken({ item_id: fixtures.item })
  await fixtures.client.call('visualization.profile.create', {
    item_id: fixtures.item,
    name: 'Red & only',
    type: 'singleband',
    config: { bands: '1' },
  })
  const profile = encodeURIComponent('Red & only')
  const response = await fetch(`${urls!.wmts}&profile=${profile}&service=WMTS&Request=GetCapabilities&VERSION=1.0.0`)
  assert.equal(response.headers.get('content-type'), 'application/xml')
  const xml = await response.text()
  const lowerCaseRequest = await fetch(
    `${root}/wmts?SERVICE=WMTS&REQUEST=getcapabilities&Profile=${profile}&key=${token}`,
  )
  assert.ok((await lowerCaseRequest.text()) === xml)

  const [, get] = elements(xml, 'ows:Get')
  const href = get!.getAttribute('xlink:href')!
  assert.ok(href.includes(`key=${token}`) && href.includes(`profile=${profile}`) && href.endsWith('&'), href)
  const { z, x, y } = tile
  const kvp = `SERVICE=WMTS&Request=GetTile&Version=1.0.0&LAYER=${fixtures.item}&style=default&Format=image/png&TileMatrixSet=GoogleMapsCompatible&TILEMATRIX=${z}&tileRow=${y}&TILECOL=${x}&DPI=96`
  const [template] = elements(xml, 'ResourceURL').map((one) => one.getAttribute('template')!)
  const resource = template!
    .replace('{TileMatrix}', String(z))
    .replace('{TileRow}', String(y))
    .replace('{TileCol}', String(x))
  const [first, second] = [await fetch(href + kvp), await fetch(resource)]
  assert.deepEqual([first.status, first.headers.get('content-type')], [200, 'image/png'])
  const xyzTile = await fetch(tileUrl(tile, `?key=${token}&profile=${profile}&quality=82`))
  const pixels = new Uint8Array(await xyzTile.arrayBuffer())
  assert.deepEqual(new Uint8Array(await first.arrayBuffer()), pixels)
  assert.deepEqual(new Uint8Array(await second.arrayBuffer()), pixels)
  assert.equal((await fetch(href + kvp.replace('image/png', 'image/jpeg'))).headers.get('content-type'), 'image/jpeg')

  const levels = elements(xml, 'TileMatrix').filter((one) => one.getElementsByTagName('ScaleDenominator').length > 0)
  const denominators = levels.map((one) => Number(one.getElementsByTagName('ScaleDenominator')[0]!.textContent))
  assert.ok(Math.abs(denominators[0]! - 559_082_264.028_717_8) < 1e-5)
  assert.ok(levels.length > z)
})

test('WMTS: every refusal is an exception report', async () => {
  const { token } = await createTileToken({ item_id: fixtures.item })
  const { z, x, y } = tile
  const wmtsUrl = `${root}/wmts?key=${token}&TILEMATRIX=${z}&TILEROW=${y}&TILECOL=${x}`
  for (const [parameter, code, status] of [
    ['REQUEST=GetFeatureInfo', 'OperationNotSupported', 501],
    ['SERVICE=WMS', 'InvalidParameterValue', 400],
    ['VERSION=1.3.0', 'InvalidParameterValue', 400],
    ['LAYER=other', 'InvalidParameterValue', 400],
    ['TileMatrixSet=EPSG:4326', 'InvalidParameterValue', 400],
    ['FORMAT=image/tiff', 'InvalidParameterValue', 400],
    ['STYLE=%3Cb%3E', 'InvalidParameterValue', 400],
  ] as const) {
    const response = await fetch(`${wmtsUrl}&${parameter}`)
    const text = await response.text()
    assert.deepEqual([response.status, response.headers.get('content-type')], [status, 'application/xml'], parameter)
    assert.equal(elements(text, 'Exception')[0]!.getAttribute('exceptionCode'), code)
  }
  for (const [url, status] of [
    // Authentication comes first.
    [`${root}/wmts?REQUEST=GetFeatureInfo`, 401],
    [`${root}/wmts?key=${token}`, 400],
    [wmtsUrl.replace(`=${x}`, '=x'), 400],
    [wmtsUrl.replace(`ROW=${y}`, `ROW=${2 ** z}`), 400],
    [`${wmtsUrl}&profile=none`, 404],
  ] as const) {
    const response = await fetch(url)
    assert.deepEqual([response.status, response.headers.get('content-type')], [status, 'application/xml'], url)
    assert.equal(elements(await response.text(), 'Exception').length, 1, url)
  }
})
