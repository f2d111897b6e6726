import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { findTileAt } from '@swath/geo/tile-grid.ts'
import type { BytesResponse } from '../../../engine/operation-response.ts'
import type { Call } from '../../../engine/call.ts'
import type { OperationHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import { readCallInput } from '../../../engine/input/read-input.ts'
import { newId } from '../../../platform/ids.ts'
import {
  SafeFetchFailure,
  type Integrations,
  type SafeFetch,
  type SafeFetchResponse,
} from '../../../platform/integrations/integrations.ts'
import { baseUrl, deliverItem, openTestServices } from '../../../../test/test-services.ts'
import { encodeCog, decodePng, sceneInput, sceneBands, storeRasterAsset } from '../../../../test/rasters.ts'
import { handler as itemsTileRender } from '../operations/items.tile.render.ts'
import { handler as cogThumbnail } from '../operations/cog.thumbnail.ts'
import { handler as cogTileRender } from '../operations/cog.tile.render.ts'

let app: Awaited<ReturnType<typeof openTestServices>>
let fixture: Awaited<ReturnType<typeof app.createOrganization>>
let item_id: string
let asset: Awaited<ReturnType<typeof storeRasterAsset>>
let integrations: Integrations
let requestedRanges: string[] = []
const tile = findTileAt(10.45, 50.52, 14)

/** A public server with one file; other hosts fail as in the safe fetcher. */
function serve(file: Uint8Array): SafeFetch {
  return async (url, options = {}): Promise<SafeFetchResponse> => {
    const { hostname } = new URL(url)
    if (hostname !== 'public.example')
      throw new SafeFetchFailure('address', 'The address does not lead to a public host.')
    if (!url.endsWith('/scene.tif')) return { status: 404, headers: {}, body: new Uint8Array(0), url }
    const range = options.headers?.['range'] ?? ''
    requestedRanges.push(range)
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? []
    if (Number(first) >= file.length) return { status: 416, headers: {}, body: new Uint8Array(0), url }
    const body = file.slice(Number(first), Number(last) + 1)
    const headers = { 'content-range': `bytes ${first}-${Number(first) + body.length - 1}/${file.length}` }
    return { status: 206, headers, body, url }
  }
}

before(async () => {
  app = await openTestServices()
  fixture = await app.createOrganization()
  asset = await storeRasterAsset(app.blobs, sceneInput, sceneBands)
  item_id = (await deliverItem(fixture.owner, fixture.project, { assets: [asset] })).item_id
  integrations = { ...fixture.owner.integrations, fetch: serve(await encodeCog(sceneInput)) }
})
after(() => app.close())

const invoke = async (handler: OperationHandler, call: Call, input: Record<string, unknown>): Promise<BytesResponse> =>
  (await handler.handle({ ...call, integrations }, readCallInput(handler.operation, input) as never)) as BytesResponse

const renderUrl = (url: string, input: Record<string, unknown> = {}, call: Call = fixture.owner) =>
  invoke(cogTileRender, call, { url, ...tile, format: 'png', ...input })

const hasProblem = (problem: string) => (error: unknown) => {
  assert.ok(error instanceof Problem, String(error))
  assert.equal(error.problem, problem, error.message)
  return true
}

const assetUrl = () => `${baseUrl}/api/v1/items/${item_id}/assets/${asset.id}`
const signUrl = async (path: string) =>
  (await app.blobs.signGet(path, { expires_s: 900, file_name: 'x.tif', media_type: 'image/tiff', base: baseUrl })).url

test('every URL of an own asset renders the tile of its item without a remote request', async () => {
  const itemTile = await invoke(itemsTileRender, fixture.owner, { item_id, ...tile, format: 'png', quality: 85 })
  requestedRanges = []
  for (const url of [
    assetUrl(),
    `${assetUrl()}/download`,
    new URL(assetUrl()).pathname,
    await signUrl(asset.blob_path),
  ]) {
    assert.deepEqual((await renderUrl(url)).body, itemTile.body, url)
  }
  assert.deepEqual(requestedRanges, [])
})

test('own URLs require the permissions of the caller, whatever their signature', async () => {
  const otherOrganization = await app.createOrganization()
  const member = await fixture.createMemberCall('member')
  for (const url of [assetUrl(), await signUrl(asset.blob_path)]) {
    await assert.rejects(renderUrl(url, {}, otherOrganization.owner), hasProblem('not-found'))
    await assert.rejects(renderUrl(url, {}, member), hasProblem('not-a-member'))
  }
  await assert.rejects(renderUrl(`${baseUrl}/api/v1/items/${item_id}/assets/${newId()}`), hasProblem('not-found'))
  await assert.rejects(renderUrl(await signUrl('items/nobody/data.tif')), hasProblem('not-found'))
  await assert.rejects(renderUrl(`${baseUrl}/v1/op/items.get`), hasProblem('not-found'))
})

test('a public file is read in few ranges; private hosts and other schemes are rejected', async () => {
  requestedRanges = []
  const image = decodePng(
    (await renderUrl('https://public.example/scene.tif', { bands: '4,3,2', rescale: '0,5000' })).body,
  )
  assert.deepEqual(requestedRanges, ['bytes=0-32767'], 'the first pages of a small file are the whole file')
  const itemTile = decodePng((await renderUrl(assetUrl(), { bands: '4,3,2', rescale: '0,5000' })).body)
  assert.deepEqual(image.data, itemTile.data)
  await renderUrl('https://public.example/scene.tif', { bands: '1' })
  assert.equal(requestedRanges.length, 1, 'the header is cached for the next tile')
  await assert.rejects(renderUrl('https://192.168.0.1/scene.tif'), hasProblem('forbidden'))
  await assert.rejects(renderUrl('https://public.example/other.tif'), hasProblem('upstream'))
  for (const url of [
    'file:///etc/passwd',
    's3://bucket/key',
    'data:image/tiff;base64,AAAA',
    'https://user:word@public.example/scene.tif',
  ]) {
    await assert.rejects(renderUrl(url), hasProblem('validation'), url)
  }
})

test('a remote file that is not a raster answers unsupported-raster', async () => {
  integrations = { ...integrations, fetch: serve(new TextEncoder().encode('<VRTDataset/>'.repeat(100))) }
  await assert.rejects(renderUrl('https://public.example/scene.tif'), hasProblem('unsupported-raster'))
  integrations = { ...integrations, fetch: serve(await encodeCog(sceneInput)) }
})

test('aoi makes pixels outside of the area transparent', async () => {
  const [x, y] = [10.45, 50.52]
  const ring = [
    [x - 0.002, y - 0.002],
    [x + 0.002, y - 0.002],
    [x + 0.002, y + 0.002],
    [x - 0.002, y + 0.002],
    [x - 0.002, y - 0.002],
  ]
  const clipped = decodePng(
    (await renderUrl(assetUrl(), { aoi: JSON.stringify({ type: 'Polygon', coordinates: [ring] }) })).body,
  )
  assert.equal(clipped.channels, 4)
  const visible_pixels = clipped.data.filter((_, index) => index % 4 === 3).filter((alpha) => alpha > 0).length
  const tile_pixels = 256 * 256
  // 0.004° of the 0.02197° that a tile of level 14 spans, and the same in latitude, scaled by 1/cos 50.52°.
  const expected_share = (0.004 / 0.02197265625) ** 2 / Math.cos((50.52 * Math.PI) / 180)
  assert.ok(
    Math.abs(visible_pixels / tile_pixels - expected_share) < 0.003,
    `${visible_pixels / tile_pixels} for ${expected_share}`,
  )
  for (const aoi of [
    '{',
    '{"type":"Point","coordinates":[0,0]}',
    '{"type":"Polygon","coordinates":[[[0,0],[1,1],[2,2]]]}',
  ]) {
    await assert.rejects(renderUrl(assetUrl(), { aoi }), hasProblem('validation'), aoi)
  }
})

test('a thumbnail is a JPEG within the requested size', async () => {
  const thumbnail = await invoke(cogThumbnail, fixture.owner, { url: assetUrl(), width: 64, height: 200 })
  assert.equal(thumbnail.media_type, 'image/jpeg')
  const [height, width] = sizeOfJpeg(thumbnail.body)
  assert.deepEqual([width, height], [64, 64])
  assert.ok(thumbnail.headers['etag'])
  await assert.rejects(invoke(cogThumbnail, fixture.owner, { url: assetUrl(), width: 0 }), hasProblem('validation'))
})

/** Height and width from the frame header. */
function sizeOfJpeg(jpeg: Uint8Array): [number, number] {
  const bytes = Buffer.from(jpeg)
  for (let at = 2; at < bytes.length;) {
    const marker = bytes[at + 1]!
    if (marker >= 0xc0 && marker <= 0xc2) return [bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 7)]
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  throw new Error('no frame header')
}
