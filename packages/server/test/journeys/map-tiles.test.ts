import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { DOMParser } from '@xmldom/xmldom'
import { tileAt } from '@swath/geo/tile-grid.ts'
import type { TileJson } from '@swath/contract/shapes/tilejson.ts'
import { manualClock } from '../../src/platform/clock.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { newId } from '../../src/platform/ids.ts'
import { placeScenes, waitForOrder } from '../orders.ts'
import { makeOrganization, type TestOrganization } from '../people.ts'
import { readPng } from '../rasters.ts'
import { bootHouse, type TestHouse } from '../setup.ts'

/** Maps of an item in clients that cannot send headers. */
let house: TestHouse
let world: World
let root: string
let tile: { z: number; x: number; y: number }
const clock = manualClock(new Date('2026-03-01T00:00:00.000Z'))

interface World extends TestOrganization {
  readonly client: TestOrganization['owner']['client']
  readonly item: string
  readonly asset: string
  readonly collection: string
}

interface Token {
  readonly id: string
  readonly token: string
  readonly prefix: string
  readonly urls: { readonly tiles: string; readonly tilejson: string; readonly wmts: string } | null
}

before(async () => {
  house = await bootHouse({ clock })
  world = await buyScene()
  root = `${house.url}/api/v1/items/${world.item}/tiles`
  const { bounds, maxzoom } = await world.client.call<TileJson>('items.tile.tilejson', { item_id: world.item })
  const [west, south, east, north] = bounds as [number, number, number, number]
  tile = tileAt((west + east) / 2, (south + north) / 2, maxzoom - 1)
})
after(() => house?.close())

async function buyScene(): Promise<World> {
  const made = await makeOrganization(house)
  const { client } = made.owner
  const order_id = await placeScenes(client, 'open', ['s2-exe-20240826'])
  await waitForOrder(client, order_id, 'FULFILLED')
  const { collection_id: collection, features } = await client.call('orders.list_assets', { order_id })
  const [feature] = features
  return { ...made, client, collection: collection!, item: feature!.item_id, asset: feature!.assets['data']!.id }
}

const make = (input: object): Promise<Token> => world.client.call<Token>('items.tile.token.create', input)
const plain = ({ z, x, y } = tile, query = ''): string => `${root}/${z}/${x}/${y}.png${query}`
const statusOf = async (url: string, init: RequestInit = {}): Promise<number> => (await fetch(url, init)).status

test('a tile token in the URL opens the tiles of its item on every tile route, and nothing else', async () => {
  const { token, prefix, urls } = await make({ item_id: world.item, name: 'A desk' })
  assert.ok(token.startsWith(prefix) && token.length > prefix.length + 30)
  assert.equal(await statusOf(plain()), 401)
  const answer = await fetch(plain(tile, `?key=${token}`))
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('access-control-allow-origin'), '*')
  assert.equal(answer.headers.get('referrer-policy'), 'no-referrer')
  assert.match(answer.headers.get('cache-control') ?? '', /^private, /)
  assert.equal(readPng(new Uint8Array(await answer.arrayBuffer())).width, 256)
  const { z, x, y } = tile
  const twice = await fetch(`${root}/${z}/${x}/${y}@2x.png?TOKEN=${token}`)
  assert.equal(readPng(new Uint8Array(await twice.arrayBuffer())).width, 512)
  for (const url of Object.values(urls!)) {
    const one = url.replace('{z}', String(z)).replace('{x}', String(x)).replace('{y}', String(y))
    assert.equal(await statusOf(one), 200, one)
  }

  for (const url of [
    `${house.url}/api/v1/items/${world.item}?key=${token}`,
    `${house.url}/api/v1/items/${world.item}/assets/${world.asset}?key=${token}`,
    `${house.url}/v1/op/items.tile.render?item_id=${world.item}&z=${z}&x=${x}&y=${y}&key=${token}`,
    plain(tile, `?key=${token.slice(0, -1)}`),
    plain(tile, '?key=nonsense'),
  ]) {
    assert.equal(await statusOf(url), 401, url)
  }
  const headers: readonly Record<string, string>[] = [{ authorization: `Bearer ${token}` }, { 'x-api-key': token }]
  for (const header of headers) assert.equal(await statusOf(plain(), { headers: header }), 401)
  assert.equal(await statusOf(plain().replace(world.item, newId()) + `?key=${token}`), 404)
})

test('a collection token opens its items until it expires, is revoked, or the API key that created it is revoked', async () => {
  const ours = await make({ collection_id: world.collection, expires_in_seconds: 60 })
  assert.equal(ours.urls, null)
  const at = (token: string): string => plain(tile, `?key=${token}`)
  assert.equal(await statusOf(at(ours.token)), 200)
  const elsewhere = await world.client.call<{ id: string }>('collections.create', {
    project_id: world.project,
    name: 'Elsewhere',
  })
  const wrong = await make({ collection_id: elsewhere.id })
  assert.equal(await statusOf(at(wrong.token)), 404)

  const listed = await world.client.call<{ tokens: object[] }>('items.tile.token.list', {
    collection_id: world.collection,
  })
  assert.deepEqual(
    listed.tokens.map((one) => (one as Token).id),
    [ours.id],
  )
  assert.ok(!JSON.stringify(listed).includes(ours.token.slice(ours.prefix.length)))
  clock.advance(61_000)
  assert.equal(await statusOf(at(ours.token)), 401)

  const revoked = await make({ item_id: world.item })
  assert.equal(await statusOf(at(revoked.token)), 200)
  await world.client.call('items.tile.token.revoke', { token_id: revoked.id })
  assert.equal(await statusOf(at(revoked.token)), 401)

  const key = await world.client.call<{ id: string; key: string }>('api_keys.create', {
    name: 'map',
    permissions: ['can_read'],
  })
  const made = await fetch(`${house.url}/v1/op/items.tile.token.create`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key.key}` },
    body: JSON.stringify({ item_id: world.item }),
  })
  assert.equal(made.status, 201)
  const { token } = (await made.json()) as Token
  assert.equal(await statusOf(at(token)), 200)
  await world.client.call('api_keys.revoke', { key_id: key.id })
  assert.equal(await statusOf(at(token)), 401)
})

test('a tile token has the current permissions of its user', async () => {
  const admin = await world.join('admin')
  const { token } = await admin.client.call<Token>('items.tile.token.create', { item_id: world.item })
  assert.equal(await statusOf(plain(tile, `?key=${token}`)), 200)
  await house.database.across.query(sql`update memberships set role = 'member' where user_id = ${admin.user}`)
  assert.equal(await statusOf(plain(tile, `?key=${token}`)), 403)
  const both = { item_id: world.item, collection_id: world.collection }
  for (const input of [{}, both]) {
    await assert.rejects(world.client.call('items.tile.token.create', input), /422|item_id/)
  }
})

test('a tile with a matching ETag returns 304', async () => {
  const { token } = await make({ item_id: world.item })
  const url = plain(tile, `?token=${token}`)
  const etag = (await fetch(url)).headers.get('etag')!
  const again = await fetch(url, { headers: { 'if-none-match': `"other", W/${etag}` } })
  assert.deepEqual([again.status, (await again.arrayBuffer()).byteLength], [304, 0])
  assert.equal(await statusOf(`${url}&bands=1`, { headers: { 'if-none-match': etag } }), 200)
})

const elements = (xml: string, name: string) => [
  ...new DOMParser().parseFromString(xml, 'text/xml').getElementsByTagName(name),
]

test('WMTS: the capabilities contain key and profile in every tile URL', async () => {
  const { token, urls } = await make({ item_id: world.item })
  await world.client.call('visualization.profile.create', {
    item_id: world.item,
    name: 'Red & only',
    type: 'singleband',
    config: { bands: '1' },
  })
  const profile = encodeURIComponent('Red & only')
  const answer = await fetch(`${urls!.wmts}&profile=${profile}&service=WMTS&Request=GetCapabilities&VERSION=1.0.0`)
  assert.equal(answer.headers.get('content-type'), 'application/xml')
  const xml = await answer.text()
  const same = await fetch(`${root}/wmts?SERVICE=WMTS&REQUEST=getcapabilities&Profile=${profile}&key=${token}`)
  assert.ok((await same.text()) === xml)

  const [, get] = elements(xml, 'ows:Get')
  const href = get!.getAttribute('xlink:href')!
  assert.ok(href.includes(`key=${token}`) && href.includes(`profile=${profile}`) && href.endsWith('&'), href)
  const { z, x, y } = tile
  const kvp = `SERVICE=WMTS&Request=GetTile&Version=1.0.0&LAYER=${world.item}&style=default&Format=image/png&TileMatrixSet=GoogleMapsCompatible&TILEMATRIX=${z}&tileRow=${y}&TILECOL=${x}&DPI=96`
  const [template] = elements(xml, 'ResourceURL').map((one) => one.getAttribute('template')!)
  const resource = template!
    .replace('{TileMatrix}', String(z))
    .replace('{TileRow}', String(y))
    .replace('{TileCol}', String(x))
  const [first, second] = [await fetch(href + kvp), await fetch(resource)]
  assert.deepEqual([first.status, first.headers.get('content-type')], [200, 'image/png'])
  const usual = await fetch(plain(tile, `?key=${token}&profile=${profile}&quality=82`))
  const pixels = new Uint8Array(await usual.arrayBuffer())
  assert.deepEqual(new Uint8Array(await first.arrayBuffer()), pixels)
  assert.deepEqual(new Uint8Array(await second.arrayBuffer()), pixels)
  assert.equal((await fetch(href + kvp.replace('image/png', 'image/jpeg'))).headers.get('content-type'), 'image/jpeg')

  const levels = elements(xml, 'TileMatrix').filter((one) => one.getElementsByTagName('ScaleDenominator').length > 0)
  const denominators = levels.map((one) => Number(one.getElementsByTagName('ScaleDenominator')[0]!.textContent))
  assert.ok(Math.abs(denominators[0]! - 559_082_264.028_717_8) < 1e-5)
  assert.ok(levels.length > z)
})

test('WMTS: invalid OGC parameters get an exception report, other errors a problem document', async () => {
  const { token } = await make({ item_id: world.item })
  const { z, x, y } = tile
  const address = `${root}/wmts?key=${token}&TILEMATRIX=${z}&TILEROW=${y}&TILECOL=${x}`
  for (const [words, code, status] of [
    ['REQUEST=GetFeatureInfo', 'OperationNotSupported', 501],
    ['SERVICE=WMS', 'InvalidParameterValue', 400],
    ['VERSION=1.3.0', 'InvalidParameterValue', 400],
    ['LAYER=other', 'InvalidParameterValue', 400],
    ['TileMatrixSet=EPSG:4326', 'InvalidParameterValue', 400],
    ['FORMAT=image/tiff', 'InvalidParameterValue', 400],
    ['STYLE=%3Cb%3E', 'InvalidParameterValue', 400],
  ] as const) {
    const answer = await fetch(`${address}&${words}`)
    const text = await answer.text()
    assert.deepEqual([answer.status, answer.headers.get('content-type')], [status, 'application/xml'], words)
    assert.equal(elements(text, 'Exception')[0]!.getAttribute('exceptionCode'), code)
  }
  assert.equal(await statusOf(`${root}/wmts?REQUEST=GetFeatureInfo`), 401, 'authentication comes first')
  assert.equal(await statusOf(`${root}/wmts?key=${token}`), 422)
  assert.equal(await statusOf(`${address.replace(`=${x}`, '=x')}`), 422)
  assert.equal(await statusOf(`${address.replace(`ROW=${y}`, `ROW=${2 ** z}`)}`), 422)
  assert.equal(await statusOf(`${address}&profile=none`), 404)
})
