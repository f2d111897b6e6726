import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LayerSpecification, RequestTransformFunction, SourceSpecification } from 'maplibre-gl'
import type { Client } from '../client.ts'
import type { TileJson } from '../operations.ts'
import {
  cesiumTiles,
  createTileKey,
  leafletTiles,
  mapLibreLayers,
  mapLibreSource,
  mapLibreTransform,
  openLayersTiles,
  readItemTiles,
  readJobTiles,
  readShareTiles,
  toTileset,
} from './index.ts'

const template = 'https://h/api/v1/items/i/tiles/{z}/{x}/{y}.webp'
const tilejson: TileJson = {
  tilejson: '3.0.0',
  name: 'Scene',
  attribution: 'Someone',
  scheme: 'xyz',
  tiles: [template],
  minzoom: 8,
  maxzoom: 14,
  bounds: [7, 50, 8, 51],
  center: [7.5, 50.5, 8],
}
const vector: TileJson = { ...tilejson, tiles: ['https://h/t/{z}/{x}/{y}.mvt'], vector_layers: [{ id: 'fields', fields: {}, minzoom: 0, maxzoom: 14 }] } // prettier-ignore

function createClient(answers: Readonly<Record<string, unknown>>) {
  const calls: [string, object][] = []
  let tokens = 0
  const call = async (operation: string, input: object): Promise<unknown> => {
    calls.push([operation, input])
    if (operation !== 'items.tile.token.create') return answers[operation]
    return { id: `id-${++tokens}`, token: `token-${tokens}` }
  }
  return { client: { call } as unknown as Client, calls }
}

const keyOf = async (lifetime_s = 100) => {
  const time = { now_ms: 0 }
  const { client, calls } = createClient({})
  const key = createTileKey(client, { item_id: 'i' }, { lifetime_s, name: 'map', now: () => time.now_ms })
  await key.current()
  return { key, time, calls }
}

test('the tiles of an item are rendered as the caller wants', async () => {
  const { client, calls } = createClient({ 'items.tile.tilejson': tilejson })
  const plain = await readItemTiles(client, 'i')
  assert.deepEqual([plain.template, plain.kind, plain.scale], [template, 'raster', 1])
  const styled = await readItemTiles(client, 'i', { scale: 2, profile: 'ndvi', rescale: '0,1', colormap: null })
  assert.equal(styled.template, 'https://h/api/v1/items/i/tiles/{z}/{x}/{y}@2x.webp?profile=ndvi&rescale=0%2C1')
  assert.deepEqual(calls.at(-1)?.[1], { item_id: 'i', profile: 'ndvi', asset_key: undefined, format: 'webp' })
})

test('the tiles of a share and of a job are those that the platform tells', async () => {
  const info = { job_id: 'j', ready: true, item_ids: ['a', 'b'], bounds: [7, 50, 8, 51], minzoom: 3, maxzoom: 9, tiles: ['t/{z}/{x}/{y}.png', 'u/{z}/{x}/{y}.png'] } // prettier-ignore
  const { client } = createClient({ 'share.tilejson': tilejson, 'processing.job.tile_info': { tile_info: info } })
  assert.equal((await readShareTiles(client, { token: 't', password: 'p' })).name, 'Scene')
  const mosaics = await readJobTiles(client, 'j')
  assert.deepEqual(mosaics.map(({ name, maxzoom }) => [name, maxzoom]), [['a', 9], ['b', 9]]) // prettier-ignore
})

test('sources and layers are those of MapLibre', () => {
  const sources: SourceSpecification[] = [mapLibreSource(toTileset(tilejson)), mapLibreSource(toTileset(vector))]
  assert.deepEqual(sources[0], { type: 'raster', tileSize: 256, tiles: [template], bounds: [7, 50, 8, 51], minzoom: 8, maxzoom: 14, attribution: 'Someone' }) // prettier-ignore
  assert.equal(sources[1]!.type, 'vector')
  const layers = [...mapLibreLayers('a', toTileset(tilejson)), ...mapLibreLayers('b', toTileset(vector))] as LayerSpecification[] // prettier-ignore
  assert.deepEqual(layers.map(({ id, type }) => `${id} ${type}`), ['a raster', 'b-fields-area fill', 'b-fields-line line', 'b-fields-point circle']) // prettier-ignore
})

test('a request of a tile gets the token, and others are left alone', async () => {
  const { key } = await keyOf()
  const transform: RequestTransformFunction = mapLibreTransform(key, [toTileset(tilejson)])
  const url = 'https://h/api/v1/items/i/tiles/8/1/2.webp?profile=ndvi'
  assert.deepEqual(transform(url), { url: `${url}&key=token-1` })
  for (const other of ['https://elsewhere/8/1/2.webp', 'https://h/api/v1/items/other/tiles/8/1/2.webp'])
    assert.equal(transform(other), undefined)
  const fresh = createTileKey(createClient({}).client, { collection_id: 'c' })
  const waiting = mapLibreTransform(fresh, [toTileset(tilejson)])(url)
  assert.deepEqual(await waiting, { url: `${url}&key=token-1` })
})

test('a token is renewed once before it expires, and the old one serves until the new one is there', async () => {
  const { key, time, calls } = await keyOf(100)
  assert.deepEqual(calls[0], ['items.tile.token.create', { item_id: 'i', name: 'map', expires_in_seconds: 100 }])
  time.now_ms = 79_000
  assert.deepEqual([key.cached(), calls.length], ['token-1', 1])
  time.now_ms = 81_000
  assert.deepEqual([key.cached(), key.cached(), calls.length], ['token-1', 'token-1', 2])
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(key.cached(), 'token-2')
  time.now_ms = 300_000
  assert.equal(await key.current(), 'token-3')
  await key.revoke()
  assert.deepEqual(calls.at(-1), ['items.tile.token.revoke', { token_id: 'id-3' }])
})

test('a renewal that fails is tried again', async () => {
  let isBroken = true
  const call = async (): Promise<unknown> => {
    if (isBroken) throw new TypeError('connection lost')
    return { id: 'i', token: 'token' }
  }
  const key = createTileKey({ call } as unknown as Client, { item_id: 'i' })
  await assert.rejects(key.current(), TypeError)
  assert.equal(key.cached(), '')
  isBroken = false
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(await key.current(), 'token')
})

test('Leaflet, OpenLayers and Cesium fill in the newest token for each tile', async () => {
  const { key, time } = await keyOf(100)
  const tileset = toTileset({ ...tilejson, tiles: [`${template}?profile=a`] })
  const leaflet = leafletTiles(tileset, key)
  assert.equal(leaflet.url, `${template}?profile=a&key={key}`)
  assert.deepEqual(leaflet.options.bounds, [[50, 7], [51, 8]]) // prettier-ignore
  const { extent, source } = openLayersTiles(tileset, key)
  assert.equal(source.tileUrlFunction([8, 1, 2]), 'https://h/api/v1/items/i/tiles/8/1/2.webp?profile=a&key=token-1')
  assert.deepEqual(extent.map(Math.round), [779236, 6446276, 890556, 6621294])
  const cesium = cesiumTiles(tileset, key)
  assert.deepEqual([cesium.options.maximumLevel, cesium.degrees], [14, [7, 50, 8, 51]])
  time.now_ms = 90_000
  await key.current()
  await new Promise((resolve) => setImmediate(resolve))
  const tokens = [leaflet.options.key?.(), cesium.options.customTags?.key(), new URL(source.tileUrlFunction([1, 0, 0])).searchParams.get('key')] // prettier-ignore
  assert.deepEqual(tokens, ['token-2', 'token-2', 'token-2'])
  assert.equal(leafletTiles(tileset).url, `${template}?profile=a`)
})
