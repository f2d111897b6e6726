import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { tileAt } from '@swath/geo/tile-grid.ts'
import type { BytesAnswer } from '../../engine/answer.ts'
import type { Call } from '../../engine/call.ts'
import type { Handler } from '../../engine/handler.ts'
import { observation } from '../../engine/observe.ts'
import { Problem } from '../../engine/problem.ts'
import { readInput } from '../../engine/read-input.ts'
import { deliver, openHoldings } from '../../../test/holdings.ts'
import { readPng, scene, sceneBands, storeRaster } from '../../../test/rasters.ts'
import { renderItemTile } from '../items/items.tile.render.ts'
import { describeItemWmts } from '../items/items.tile.wmts_capabilities.ts'
import { renderWmtsTile } from '../items/items.tile.wmts_get_tile.ts'

let house: Awaited<ReturnType<typeof openHoldings>>
let world: Awaited<ReturnType<typeof house.organize>>
let whole: string
let damaged: { item: string; path: string; sound: Uint8Array }
const tile = tileAt(10.45, 50.52, 14)

before(async () => {
  house = await openHoldings()
  world = await house.organize()
  const name = 'Fields & <hills>\u0007 "2024"'
  const asset = await storeRaster(house.blobs, scene, sceneBands)
  whole = (await deliver(world.owner, world.project, { name, assets: [asset] })).item_id
  const other = { ...(await storeRaster(house.blobs, scene, sceneBands)), checksum_sha256: 'd'.repeat(64) }
  const sound = await house.blobs.read(other.blob_path, 0, other.file_size_bytes)
  await house.blobs.putBytes(other.blob_path, new TextEncoder().encode('no raster'), other.media_type)
  const { item_id: item } = await deliver(world.owner, world.project, { assets: [other] })
  damaged = { item, path: other.blob_path, sound }
})
after(() => house.close())

const ask = async (handler: Handler, input: Record<string, unknown>, call: Call = world.owner): Promise<BytesAnswer> =>
  (await handler.answer(call, readInput(handler.operation, { item_id: whole, ...input }) as never)) as BytesAnswer

test('a rendering failure answers a transparent tile in WMTS with no-store and a log entry, and a problem elsewhere', async () => {
  const log = observation()
  const answer = await ask(renderWmtsTile, { item_id: damaged.item, ...tile, format: 'jpeg' }, { ...world.owner, log })
  const picture = readPng(answer.body)
  assert.deepEqual([picture.width, picture.height, picture.channels], [256, 256, 4])
  assert.ok(picture.data.every((value) => value === 0))
  assert.deepEqual([answer.media_type, answer.headers['cache-control']], ['image/png', 'no-store'])
  assert.match(String(log.facts['render_error']), /raster|TIFF/i)
  const isUnsupported = (error: unknown): boolean => error instanceof Problem && error.problem === 'unsupported-raster'
  await assert.rejects(ask(renderItemTile, { item_id: damaged.item, ...tile }), isUnsupported)

  await house.blobs.putBytes(damaged.path, damaged.sound, 'image/tiff')
  const mended = await ask(renderWmtsTile, { item_id: damaged.item, ...tile })
  assert.ok(readPng(mended.body).data.some((value) => value > 0))
  assert.ok(mended.headers['etag'])
})

test('a cached tile is not rendered again, and a matching ETag gets an empty body', async () => {
  const first = await ask(renderItemTile, { ...tile, format: 'png', bands: '2' })
  const blind = {
    ...world.owner,
    blobs: new Proxy(house.blobs, {
      get: () => () => {
        throw new Error('nothing is read')
      },
    }),
  }
  const again = await ask(renderItemTile, { ...tile, format: 'png', bands: '2' }, blind)
  assert.deepEqual([again.body, again.headers], [first.body, first.headers])
  const etag = first.headers['etag']!
  const held = await ask(renderItemTile, { ...tile, format: 'png', bands: '2' }, { ...blind, ifNoneMatch: `W/${etag}` })
  assert.deepEqual([held.body.length, held.headers['etag']], [0, etag])
  await assert.rejects(ask(renderItemTile, { ...tile, format: 'png', bands: '3' }, blind))

  const stranger = await house.organize()
  const call = { ...stranger.owner, ifNoneMatch: etag }
  await assert.rejects(ask(renderItemTile, { ...tile, format: 'png', bands: '2' }, call), /No item/)
})

test('WMTS capabilities are valid XML with the requested base URL', async () => {
  const answer = await ask(describeItemWmts, { base_url: 'https://maps.example/swath/', key: 'a&b', asset_key: 'data' })
  const xml = new TextDecoder().decode(answer.body)
  assert.ok(xml.includes('<ows:Title>Fields &amp; &lt;hills&gt; &quot;2024&quot;</ows:Title>'), xml.slice(0, 1500))
  const root = `https://maps.example/swath/api/v1/items/${whole}/tiles/wmts`
  assert.ok(xml.includes(`xlink:href="${root}?key=a%26b&amp;asset_key=data&amp;"`))
  assert.ok(xml.includes(`template="${root}/{TileMatrix}/{TileRow}/{TileCol}.png?key=a%26b&amp;asset_key=data"`))
  const isInvalid = (error: unknown): boolean => error instanceof Problem && error.problem === 'validation'
  for (const base_url of ['javascript:alert(1)', 'file:///etc', 'https://x.example/?q', 'nowhere']) {
    await assert.rejects(ask(describeItemWmts, { base_url }), isInvalid, base_url)
  }
})
