import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { fileURLToPath } from 'node:url'
import { listTileArchives } from '../../platform/base-map/tile-archive.ts'
import { createLogger } from '../../platform/log.ts'
import { createMetrics } from '../../platform/metrics.ts'
import { parseVectorTile } from '../../../test/vector-tiles.ts'
import { createHttpServer } from '../server.ts'
import { registerBaseMapRoutes } from './base-map-routes.ts'

const folder = fileURLToPath(new URL('../../../base-map/', import.meta.url))
const names = listTileArchives(folder)
const world = names.find((name) => name.startsWith('world-'))!
const relief = names.find((name) => name.startsWith('relief-'))!

/** Units beyond the edge of a tile, and one for rounding. */
const buffer = 65

let app: FastifyInstance
before(() => {
  app = createHttpServer({
    trustProxy: false,
    log: createLogger({ level: 'silent' }),
    metrics: createMetrics(),
    baseUrl: null,
  })
  registerBaseMapRoutes(app, folder)
})
after(() => app.close())

const get = (url: string, headers: Record<string, string> = { 'accept-encoding': 'br' }) =>
  app.inject({ url: `/base-map/${url}`, headers })

test('a vector tile is sent compressed, immutable, and not again to who has it', async () => {
  const { statusCode, headers, rawPayload } = await get(`${world}/0/0/0`)
  assert.equal(statusCode, 200)
  assert.equal(headers['content-encoding'], 'br')
  assert.equal(headers['content-type'], 'application/vnd.mapbox-vector-tile')
  assert.match(String(headers['cache-control']), /max-age=31536000, immutable/)
  const again = await get(`${world}/0/0/0`, { 'if-none-match': String(headers['etag']) })
  assert.deepEqual([again.statusCode, again.body], [304, ''])
  const plain = brotliDecompressSync(rawPayload)
  const packed = await get(`${world}/0/0/0`, { 'accept-encoding': 'gzip' })
  assert.equal(packed.headers['content-encoding'], 'gzip')
  assert.deepEqual(gunzipSync(packed.rawPayload), plain)
  assert.deepEqual((await get(`${world}/0/0/0`, {})).rawPayload, plain)
})

const readLayers = async (tile: string) =>
  parseVectorTile(brotliDecompressSync((await get(`${world}/${tile}`)).rawPayload))

test('geometry stays within the buffer of its tile, which maps accept without a warning', async () => {
  // The whole world, south-west England, and Exeter.
  for (const tile of ['0/0/0', '4/7/5', '7/62/43']) {
    const layers = await readLayers(tile)
    assert.ok(layers.length > 0, tile)
    for (const { name, extent, features } of layers) {
      const numbers = features.flatMap(({ geometry }) => geometry.flat(2))
      assert.ok(
        numbers.every((at) => at >= -buffer && at <= extent + buffer),
        `${tile} ${name}`,
      )
    }
  }
})

test('the tile of a region has its coast, its rivers and its settlements', async () => {
  const layers = new Map((await readLayers('7/62/43')).map(({ name, features }) => [name, features]))
  assert.ok(layers.get('settlements')!.some(({ properties }) => properties['name'] === 'Exeter'))
  assert.ok(layers.get('land')!.length > 0 && layers.get('rivers')!.length > 0)
})

test('relief is an image; a tile without anything is empty, and others do not exist', async () => {
  const image = await get(`${relief}/0/0/0`)
  assert.equal(image.headers['content-type'], 'image/webp')
  assert.equal(image.rawPayload.toString('latin1', 8, 12), 'WEBP')
  assert.equal((await get(`${world}/7/0/64`)).statusCode, 204)
  for (const url of [
    `${world}/8/0/0`,
    `${world}/1/2/0`,
    `${world}/1/-1/0`,
    `${world}/1/x/0`,
    'other/0/0/0',
    `${world}/1/0`,
  ])
    assert.equal((await get(url)).statusCode, 404, url)
})
