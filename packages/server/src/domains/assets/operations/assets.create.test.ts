import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Asset } from '@swath/contract/schemas/asset.ts'
import type { StacItem } from '@swath/contract/schemas/stac.ts'
import { findTileAt } from '@swath/geo/tile-grid.ts'
import { handler } from '../../tiles/operations/items.tile.render.ts'
import { callOperation, rejectedWith } from '../../../../test/call-operation.ts'
import { deliverItem, openTestServices } from '../../../../test/test-services.ts'
import { encodeCog, sceneInput, sceneBands, storeRasterAsset } from '../../../../test/rasters.ts'
import { validateStac } from '../../../../test/stac-validator.ts'
import type { BytesResponse } from '../../../engine/operation-response.ts'
import type { Call } from '../../../engine/call.ts'
import { readCallInput } from '../../../engine/input/read-input.ts'
import { SafeFetchFailure, type SafeFetch } from '../../../platform/integrations/integrations.ts'

let app: Awaited<ReturnType<typeof openTestServices>>
let tenant: Awaited<ReturnType<typeof app.createOrganization>>
let owner: Call
let item_id: string
let requestedUrls: string[] = []

/** A fetch stub: public servers with one file, and the guarded fetcher's error for a private address. */
function createFetchStub(file: Uint8Array): SafeFetch {
  return async (url, options = {}) => {
    requestedUrls.push(url)
    const { hostname, pathname } = new URL(url)
    if (hostname === 'inside.example') throw new SafeFetchFailure('address', 'The URL does not lead to a public host.')
    if (!pathname.endsWith('/scene.tif')) return { status: 404, headers: {}, body: new Uint8Array(0), url }
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(options.headers?.['range'] ?? '') ?? []
    const body = file.slice(Number(first), Number(last) + 1)
    if (body.length === 0) return { status: 416, headers: {}, body, url }
    const headers = { 'content-range': `bytes ${first}-${Number(first) + body.length - 1}/${file.length}` }
    return { status: 206, headers, body, url }
  }
}

before(async () => {
  app = await openTestServices()
  tenant = await app.createOrganization()
  owner = {
    ...tenant.owner,
    integrations: { ...tenant.owner.integrations, fetch: createFetchStub(await encodeCog(sceneInput)) },
  }
  item_id = (await deliverItem(owner, tenant.project)).item_id
})
after(() => app?.close())

test('a remote GeoTIFF is described and rendered like a stored one', async () => {
  const stored = await storeRasterAsset(app.blobs, sceneInput, sceneBands)
  const own = await deliverItem(owner, tenant.project, { assets: [stored] })
  const input = { item_id, key: 'data', href: 'https://public.example/a/scene.tif', description: 'Far away' }
  const asset = await callOperation<Asset>('assets.create', owner, input)
  assert.deepEqual([asset.ready, asset.roles, asset.file_size_bytes], [false, ['data'], null])
  assert.equal(asset.metadata['width'], stored.raster?.width)
  const feature = await callOperation<StacItem>('items.get_stac', owner, { item_id })
  assert.deepEqual((await validateStac([feature])).errors, [])
  const stacAsset = feature.assets['data'] as unknown as Record<string, unknown>
  assert.deepEqual([stacAsset['href'], stacAsset['description']], [input.href, 'Far away'])
  assert.ok(Array.isArray(stacAsset['raster:bands']) && Array.isArray(stacAsset['proj:shape']))

  const tile = { ...findTileAt(10.45, 50.52, 14), format: 'png', bands: '1', rescale: '0,3000' }
  const renderTile = async (id: string) => {
    const response = await handler.handle(owner, readCallInput(handler.operation, { item_id: id, ...tile }) as never)
    return (response as BytesResponse).body
  }
  assert.deepEqual(await renderTile(item_id), await renderTile(own.item_id))
  assert.ok(requestedUrls.every((url) => url === input.href))

  await assert.rejects(callOperation('assets.create', owner, input), rejectedWith('name-taken'))
  await callOperation('assets.delete', owner, { item_id, asset_id: asset.id })
  assert.deepEqual((await callOperation<StacItem>('items.get_stac', owner, { item_id })).assets, {})
})

test('an s3 href is read over https, and files that are not GeoTIFF are referenced without reading', async () => {
  requestedUrls = []
  const remoteAsset = await callOperation<Asset>('assets.create', owner, {
    item_id,
    key: 's3',
    href: 's3://bucket/scene.tif',
  })
  assert.ok(remoteAsset.metadata['width'])
  assert.deepEqual([...new Set(requestedUrls)], ['https://bucket.s3.amazonaws.com/scene.tif'])
  requestedUrls = []
  const unreadFile = { item_id, key: 'unread', href: 'https://public.example/missing.tif', read: false }
  assert.deepEqual((await callOperation<Asset>('assets.create', owner, unreadFile)).metadata, {})
  const metadataFile = { item_id, key: 'notes', href: 'https://public.example/notes.pdf', roles: ['metadata'] }
  const documentAsset = await callOperation<Asset>('assets.create', owner, {
    ...metadataFile,
    properties: { 'file:size': 5, href: 'x', 'proj:epsg': '1' },
  })
  assert.deepEqual([documentAsset.media_type, requestedUrls.length], ['application/pdf', 0])
  const { assets } = await callOperation<StacItem>('items.get_stac', owner, { item_id })
  const { href, type, roles, ...rest } = assets['notes'] as unknown as Record<string, unknown>
  assert.deepEqual([href, type, roles], [metadataFile.href, 'application/pdf', ['metadata']])
  assert.deepEqual(rest, { 'file:size': 5, proj_epsg: '1' })
})

test('an invalid or unreadable href is rejected and leaves the item unchanged', async () => {
  const before = await callOperation<StacItem>('items.get_stac', owner, { item_id })
  const createWithHref = (href: string) => callOperation('assets.create', owner, { item_id, key: 'bad', href })
  for (const href of [
    'http://public.example/scene.tif',
    'file:///etc/passwd',
    'scene.tif',
    'https://localhost/scene.tif',
    'https://169.254.169.254/scene.tif',
    'https://[::ffff:10.0.0.1]/scene.tif',
    'https://u:p@public.example/x',
  ]) {
    await assert.rejects(createWithHref(href), rejectedWith('validation'), href)
  }
  await assert.rejects(createWithHref('https://inside.example/scene.tif'), rejectedWith('forbidden'))
  await assert.rejects(createWithHref('https://public.example/missing.tif'), rejectedWith('upstream'))
  const vrt: Call = {
    ...owner,
    integrations: {
      ...owner.integrations,
      fetch: createFetchStub(new TextEncoder().encode('<VRTDataset/>'.repeat(100))),
    },
  }
  const disguisedFile = { item_id, key: 'bad', href: 'https://other.example/scene.tif' }
  await assert.rejects(callOperation('assets.create', vrt, disguisedFile), rejectedWith('unsupported-raster'))
  const stranger = await app.createOrganization()
  await assert.rejects(callOperation('assets.create', stranger.owner, disguisedFile), rejectedWith('not-found'))
  assert.deepEqual(await callOperation('items.get_stac', owner, { item_id }), before)
})
