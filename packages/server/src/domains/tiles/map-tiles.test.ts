import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { findTileAt } from '@swath/geo/tile-grid.ts'
import type { BytesResponse } from '../../engine/operation-response.ts'
import type { Call } from '../../engine/call.ts'
import type { OperationHandler } from '../../engine/handler.ts'
import { createCallLog } from '../../engine/call-log.ts'
import { Problem } from '../../engine/problem.ts'
import { readCallInput } from '../../engine/input/read-input.ts'
import { deliverItem, openTestServices } from '../../../test/test-services.ts'
import { decodePng, sceneInput, sceneBands, storeRasterAsset } from '../../../test/rasters.ts'
import { handler as itemsTileRender } from './operations/items.tile.render.ts'
import { handler as itemsTileWmtsCapabilities } from './operations/items.tile.wmts_capabilities.ts'
import { handler as itemsTileWmtsGetTile } from './operations/items.tile.wmts_get_tile.ts'

let app: Awaited<ReturnType<typeof openTestServices>>
let fixture: Awaited<ReturnType<typeof app.createOrganization>>
let validItemId: string
let damaged: { item: string; path: string; sound: Uint8Array }
const tile = findTileAt(10.45, 50.52, 14)

before(async () => {
  app = await openTestServices()
  fixture = await app.createOrganization()
  const name = 'Fields & <hills>\u0007 "2024"'
  const asset = await storeRasterAsset(app.blobs, sceneInput, sceneBands)
  validItemId = (await deliverItem(fixture.owner, fixture.project, { name, assets: [asset] })).item_id
  const other = { ...(await storeRasterAsset(app.blobs, sceneInput, sceneBands)), checksum_sha256: 'd'.repeat(64) }
  const originalBytes = await app.blobs.read(other.blob_path, 0, other.file_size_bytes)
  await app.blobs.putBytes(other.blob_path, new TextEncoder().encode('no raster'), other.media_type)
  const { item_id: item } = await deliverItem(fixture.owner, fixture.project, { assets: [other] })
  damaged = { item, path: other.blob_path, sound: originalBytes }
})
after(() => app.close())

const invoke = async (
  handler: OperationHandler,
  input: Record<string, unknown>,
  call: Call = fixture.owner,
): Promise<BytesResponse> =>
  (await handler.handle(
    call,
    readCallInput(handler.operation, { item_id: validItemId, ...input }) as never,
  )) as BytesResponse

test('a rendering failure answers a transparent tile in WMTS with no-store and a log entry, and a problem elsewhere', async () => {
  const log = createCallLog()
  const response = await invoke(
    itemsTileWmtsGetTile,
    { item_id: damaged.item, ...tile, format: 'jpeg' },
    { ...fixture.owner, log },
  )
  const image = decodePng(response.body)
  assert.deepEqual([image.width, image.height, image.channels], [256, 256, 4])
  assert.ok(image.data.every((value) => value === 0))
  assert.deepEqual([response.media_type, response.headers['cache-control']], ['image/png', 'no-store'])
  assert.match(String(log.fields['render_error']), /raster|TIFF/i)
  const isUnsupported = (error: unknown): boolean => error instanceof Problem && error.problem === 'unsupported-raster'
  await assert.rejects(invoke(itemsTileRender, { item_id: damaged.item, ...tile }), isUnsupported)

  await app.blobs.putBytes(damaged.path, damaged.sound, 'image/tiff')
  const repaired = await invoke(itemsTileWmtsGetTile, { item_id: damaged.item, ...tile })
  assert.ok(decodePng(repaired.body).data.some((value) => value > 0))
  assert.ok(repaired.headers['etag'])
})

test('a cached tile is not rendered again, and a matching ETag gets an empty body', async () => {
  const first = await invoke(itemsTileRender, { ...tile, format: 'png', bands: '2' })
  const unreadableCall = {
    ...fixture.owner,
    blobs: new Proxy(app.blobs, {
      get: () => () => {
        throw new Error('nothing is read')
      },
    }),
  }
  const second = await invoke(itemsTileRender, { ...tile, format: 'png', bands: '2' }, unreadableCall)
  assert.deepEqual([second.body, second.headers], [first.body, first.headers])
  const etag = first.headers['etag']!
  const notModified = await invoke(
    itemsTileRender,
    { ...tile, format: 'png', bands: '2' },
    { ...unreadableCall, ifNoneMatch: `W/${etag}` },
  )
  assert.deepEqual([notModified.body.length, notModified.headers['etag']], [0, etag])
  await assert.rejects(invoke(itemsTileRender, { ...tile, format: 'png', bands: '3' }, unreadableCall))

  const otherOrganization = await app.createOrganization()
  const call = { ...otherOrganization.owner, ifNoneMatch: etag }
  await assert.rejects(invoke(itemsTileRender, { ...tile, format: 'png', bands: '2' }, call), /No item/)
})

test('WMTS capabilities are valid XML with the requested base URL', async () => {
  const response = await invoke(itemsTileWmtsCapabilities, {
    base_url: 'https://maps.example/swath/',
    key: 'a&b',
    asset_key: 'data',
  })
  const xml = new TextDecoder().decode(response.body)
  assert.ok(xml.includes('<ows:Title>Fields &amp; &lt;hills&gt; &quot;2024&quot;</ows:Title>'), xml.slice(0, 1500))
  const root = `https://maps.example/swath/api/v1/items/${validItemId}/tiles/wmts`
  assert.ok(xml.includes(`xlink:href="${root}?key=a%26b&amp;asset_key=data&amp;"`))
  assert.ok(xml.includes(`template="${root}/{TileMatrix}/{TileRow}/{TileCol}.png?key=a%26b&amp;asset_key=data"`))
  const isInvalid = (error: unknown): boolean => error instanceof Problem && error.problem === 'validation'
  for (const base_url of ['javascript:alert(1)', 'file:///etc', 'https://x.example/?q', 'nowhere']) {
    await assert.rejects(invoke(itemsTileWmtsCapabilities, { base_url }), isInvalid, base_url)
  }
})
