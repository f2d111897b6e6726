import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { tileAt } from '@swath/geo/tile-grid.ts'
import type { BytesAnswer } from '../../engine/answer.ts'
import type { Call } from '../../engine/call.ts'
import type { Handler } from '../../engine/handler.ts'
import { Problem } from '../../engine/problem.ts'
import { readInput } from '../../engine/read-input.ts'
import { newId } from '../../platform/ids.ts'
import { OutsideFailure, type Outside, type SafeFetch, type SafeResponse } from '../../platform/outside/outside.ts'
import { base, deliver, openHoldings } from '../../../test/holdings.ts'
import { cogBytes, readPng, scene, sceneBands, storeRaster } from '../../../test/rasters.ts'
import { renderItemTile } from '../items/items.tile.render.ts'
import { drawCogThumbnail } from './cog.thumbnail.ts'
import { renderCogTile } from './cog.tile.render.ts'

let house: Awaited<ReturnType<typeof openHoldings>>
let world: Awaited<ReturnType<typeof house.organize>>
let item_id: string
let asset: Awaited<ReturnType<typeof storeRaster>>
let outside: Outside
let asked: string[] = []
const tile = tileAt(10.45, 50.52, 14)

/** A public server with one file; other hosts fail as in the safe fetcher. */
function serve(file: Uint8Array): SafeFetch {
  return async (url, options = {}): Promise<SafeResponse> => {
    const { hostname } = new URL(url)
    if (hostname !== 'public.example')
      throw new OutsideFailure('address', 'The address does not lead to a public host.')
    if (!url.endsWith('/scene.tif')) return { status: 404, headers: {}, body: new Uint8Array(0), url }
    const range = options.headers?.['range'] ?? ''
    asked.push(range)
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? []
    if (Number(first) >= file.length) return { status: 416, headers: {}, body: new Uint8Array(0), url }
    const body = file.slice(Number(first), Number(last) + 1)
    const headers = { 'content-range': `bytes ${first}-${Number(first) + body.length - 1}/${file.length}` }
    return { status: 206, headers, body, url }
  }
}

before(async () => {
  house = await openHoldings()
  world = await house.organize()
  asset = await storeRaster(house.blobs, scene, sceneBands)
  item_id = (await deliver(world.owner, world.project, { assets: [asset] })).item_id
  outside = { ...world.owner.outside, fetch: serve(await cogBytes(scene)) }
})
after(() => house.close())

const answer = async (handler: Handler, call: Call, input: Record<string, unknown>): Promise<BytesAnswer> =>
  (await handler.answer({ ...call, outside }, readInput(handler.operation, input) as never)) as BytesAnswer

const draw = (url: string, input: Record<string, unknown> = {}, call: Call = world.owner) =>
  answer(renderCogTile, call, { url, ...tile, format: 'png', ...input })

const refused = (problem: string) => (error: unknown) => {
  assert.ok(error instanceof Problem, String(error))
  assert.equal(error.problem, problem, error.message)
  return true
}

const assetAddress = () => `${base}/api/v1/items/${item_id}/assets/${asset.id}`
const sign = async (path: string) =>
  (await house.blobs.signGet(path, { expires_s: 900, file_name: 'x.tif', media_type: 'image/tiff', base })).url

test('every URL of an own asset renders the tile of its item without a remote request', async () => {
  const own = await answer(renderItemTile, world.owner, { item_id, ...tile, format: 'png', quality: 85 })
  asked = []
  for (const url of [
    assetAddress(),
    `${assetAddress()}/download`,
    new URL(assetAddress()).pathname,
    await sign(asset.blob_path),
  ]) {
    assert.deepEqual((await draw(url)).body, own.body, url)
  }
  assert.deepEqual(asked, [])
})

test('own URLs require the permissions of the caller, whatever their signature', async () => {
  const stranger = await house.organize()
  const member = await world.person('member')
  for (const url of [assetAddress(), await sign(asset.blob_path)]) {
    await assert.rejects(draw(url, {}, stranger.owner), refused('not-found'))
    await assert.rejects(draw(url, {}, member), refused('not-a-member'))
  }
  await assert.rejects(draw(`${base}/api/v1/items/${item_id}/assets/${newId()}`), refused('not-found'))
  await assert.rejects(draw(await sign('items/nobody/data.tif')), refused('not-found'))
  await assert.rejects(draw(`${base}/v1/op/items.get`), refused('not-found'))
})

test('a public file is read in few ranges; private hosts and other schemes are rejected', async () => {
  asked = []
  const picture = readPng((await draw('https://public.example/scene.tif', { bands: '4,3,2', rescale: '0,5000' })).body)
  assert.deepEqual(asked, ['bytes=0-32767'], 'the first pages of a small file are the whole file')
  const own = readPng((await draw(assetAddress(), { bands: '4,3,2', rescale: '0,5000' })).body)
  assert.deepEqual(picture.data, own.data)
  await draw('https://public.example/scene.tif', { bands: '1' })
  assert.equal(asked.length, 1, 'the header is cached for the next tile')
  await assert.rejects(draw('https://192.168.0.1/scene.tif'), refused('forbidden'))
  await assert.rejects(draw('https://public.example/other.tif'), refused('upstream'))
  for (const url of [
    'file:///etc/passwd',
    's3://bucket/key',
    'data:image/tiff;base64,AAAA',
    'https://user:word@public.example/scene.tif',
  ]) {
    await assert.rejects(draw(url), refused('validation'), url)
  }
})

test('a remote file that is not a raster answers unsupported-raster', async () => {
  outside = { ...outside, fetch: serve(new TextEncoder().encode('<VRTDataset/>'.repeat(100))) }
  await assert.rejects(draw('https://public.example/scene.tif'), refused('unsupported-raster'))
  outside = { ...outside, fetch: serve(await cogBytes(scene)) }
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
  const cut = readPng(
    (await draw(assetAddress(), { aoi: JSON.stringify({ type: 'Polygon', coordinates: [ring] }) })).body,
  )
  assert.equal(cut.channels, 4)
  const seen = cut.data.filter((_, index) => index % 4 === 3).filter((alpha) => alpha > 0).length
  const whole = 256 * 256
  // 0.004° of the 0.02197° that a tile of level 14 spans, and the same in latitude, scaled by 1/cos 50.52°.
  const share = (0.004 / 0.02197265625) ** 2 / Math.cos((50.52 * Math.PI) / 180)
  assert.ok(Math.abs(seen / whole - share) < 0.003, `${seen / whole} for ${share}`)
  for (const aoi of [
    '{',
    '{"type":"Point","coordinates":[0,0]}',
    '{"type":"Polygon","coordinates":[[[0,0],[1,1],[2,2]]]}',
  ]) {
    await assert.rejects(draw(assetAddress(), { aoi }), refused('validation'), aoi)
  }
})

test('a thumbnail is a JPEG within the requested size', async () => {
  const small = await answer(drawCogThumbnail, world.owner, { url: assetAddress(), width: 64, height: 200 })
  assert.equal(small.media_type, 'image/jpeg')
  const [height, width] = sizeOfJpeg(small.body)
  assert.deepEqual([width, height], [64, 64])
  assert.ok(small.headers['etag'])
  await assert.rejects(answer(drawCogThumbnail, world.owner, { url: assetAddress(), width: 0 }), refused('validation'))
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
