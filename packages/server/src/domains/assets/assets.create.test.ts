import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Asset } from '@swath/contract/shapes/asset.ts'
import type { StacItem } from '@swath/contract/shapes/stac.ts'
import { tileAt } from '@swath/geo/tile-grid.ts'
import { ask, refused } from '../../../test/asking.ts'
import { deliver, openHoldings } from '../../../test/holdings.ts'
import { cogBytes, scene, sceneBands, storeRaster } from '../../../test/rasters.ts'
import { judgeStac } from '../../../test/stac-judge.ts'
import type { BytesAnswer } from '../../engine/answer.ts'
import type { Call } from '../../engine/call.ts'
import { readInput } from '../../engine/read-input.ts'
import { OutsideFailure, type SafeFetch } from '../../platform/outside/outside.ts'
import { getStacItem } from '../items/items.get_stac.ts'
import { renderItemTile } from '../items/items.tile.render.ts'
import { createAsset } from './assets.create.ts'
import { deleteAsset } from './assets.delete.ts'

let house: Awaited<ReturnType<typeof openHoldings>>
let world: Awaited<ReturnType<typeof house.organize>>
let owner: Call
let item_id: string
let asked: string[] = []

/** A fetch stub: public servers with one file, and the guarded fetcher's error for a private address. */
function serve(file: Uint8Array): SafeFetch {
  return async (url, options = {}) => {
    asked.push(url)
    const { hostname, pathname } = new URL(url)
    if (hostname === 'inside.example') throw new OutsideFailure('address', 'The URL does not lead to a public host.')
    if (!pathname.endsWith('/scene.tif')) return { status: 404, headers: {}, body: new Uint8Array(0), url }
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(options.headers?.['range'] ?? '') ?? []
    const body = file.slice(Number(first), Number(last) + 1)
    if (body.length === 0) return { status: 416, headers: {}, body, url }
    const headers = { 'content-range': `bytes ${first}-${Number(first) + body.length - 1}/${file.length}` }
    return { status: 206, headers, body, url }
  }
}

before(async () => {
  house = await openHoldings()
  world = await house.organize()
  owner = { ...world.owner, outside: { ...world.owner.outside, fetch: serve(await cogBytes(scene)) } }
  item_id = (await deliver(owner, world.project)).item_id
})
after(() => house?.close())

test('a remote GeoTIFF is described and rendered like a stored one', async () => {
  const stored = await storeRaster(house.blobs, scene, sceneBands)
  const own = await deliver(owner, world.project, { assets: [stored] })
  const input = { item_id, key: 'data', href: 'https://public.example/a/scene.tif', description: 'Far away' }
  const asset = await ask<Asset>(createAsset, owner, input)
  assert.deepEqual([asset.ready, asset.roles, asset.file_size_bytes], [false, ['data'], null])
  assert.equal(asset.metadata['width'], stored.raster?.width)
  const feature = await ask<StacItem>(getStacItem, owner, { item_id })
  assert.deepEqual((await judgeStac([feature])).faults, [])
  const described = feature.assets['data'] as unknown as Record<string, unknown>
  assert.deepEqual([described['href'], described['description']], [input.href, 'Far away'])
  assert.ok(Array.isArray(described['raster:bands']) && Array.isArray(described['proj:shape']))

  const tile = { ...tileAt(10.45, 50.52, 14), format: 'png', bands: '1', rescale: '0,3000' }
  const draw = async (id: string) => {
    const drawn = await renderItemTile.answer(
      owner,
      readInput(renderItemTile.operation, { item_id: id, ...tile }) as never,
    )
    return (drawn as BytesAnswer).body
  }
  assert.deepEqual(await draw(item_id), await draw(own.item_id))
  assert.ok(asked.every((url) => url === input.href))

  await assert.rejects(ask(createAsset, owner, input), refused('name-taken'))
  await ask(deleteAsset, owner, { item_id, asset_id: asset.id })
  assert.deepEqual((await ask<StacItem>(getStacItem, owner, { item_id })).assets, {})
})

test('an s3 href is read over https, and files that are not GeoTIFF are referenced without reading', async () => {
  asked = []
  const far = await ask<Asset>(createAsset, owner, { item_id, key: 's3', href: 's3://bucket/scene.tif' })
  assert.ok(far.metadata['width'])
  assert.deepEqual([...new Set(asked)], ['https://bucket.s3.amazonaws.com/scene.tif'])
  asked = []
  const unread = { item_id, key: 'unread', href: 'https://public.example/missing.tif', read: false }
  assert.deepEqual((await ask<Asset>(createAsset, owner, unread)).metadata, {})
  const notes = { item_id, key: 'notes', href: 'https://public.example/notes.pdf', roles: ['metadata'] }
  const paper = await ask<Asset>(createAsset, owner, {
    ...notes,
    properties: { 'file:size': 5, href: 'x', 'proj:epsg': '1' },
  })
  assert.deepEqual([paper.media_type, asked.length], ['application/pdf', 0])
  const { assets } = await ask<StacItem>(getStacItem, owner, { item_id })
  const { href, type, roles, ...rest } = assets['notes'] as unknown as Record<string, unknown>
  assert.deepEqual([href, type, roles], [notes.href, 'application/pdf', ['metadata']])
  assert.deepEqual(rest, { 'file:size': 5, proj_epsg: '1' })
})

test('an invalid or unreadable href is rejected and leaves the item unchanged', async () => {
  const before = await ask<StacItem>(getStacItem, owner, { item_id })
  const add = (href: string) => ask(createAsset, owner, { item_id, key: 'bad', href })
  for (const href of [
    'http://public.example/scene.tif',
    'file:///etc/passwd',
    'scene.tif',
    'https://u:p@public.example/x',
  ]) {
    await assert.rejects(add(href), refused('validation'), href)
  }
  await assert.rejects(add('https://inside.example/scene.tif'), refused('forbidden'))
  await assert.rejects(add('https://public.example/missing.tif'), refused('upstream'))
  const vrt: Call = {
    ...owner,
    outside: { ...owner.outside, fetch: serve(new TextEncoder().encode('<VRTDataset/>'.repeat(100))) },
  }
  const disguised = { item_id, key: 'bad', href: 'https://other.example/scene.tif' }
  await assert.rejects(ask(createAsset, vrt, disguised), refused('unsupported-raster'))
  const stranger = await house.organize()
  await assert.rejects(ask(createAsset, stranger.owner, disguised), refused('not-found'))
  assert.deepEqual(await ask(getStacItem, owner, { item_id }), before)
})
