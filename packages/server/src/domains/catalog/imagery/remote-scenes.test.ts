import assert from 'node:assert/strict'
import { after, before, test, type TestContext } from 'node:test'
import { findTileAt } from '@swath/geo/tile-grid.ts'
import {
  collectionList,
  landingPage,
  stacItem,
  startTestServer,
  type TestServer,
} from '../../../../test/hosts/stac-server.ts'
import { decodePng, encodeCog, sceneBands, sceneInput, storeRasterAsset } from '../../../../test/rasters.ts'
import { deliverItem, openTestServices } from '../../../../test/test-services.ts'
import type { OperationHandler } from '../../../engine/handler.ts'
import { readCallInput } from '../../../engine/input/read-input.ts'
import type { BytesResponse } from '../../../engine/operation-response.ts'
import { Problem } from '../../../engine/problem.ts'
import { knownStacHosts } from '../../../platform/integrations/hosts/known-hosts.ts'
import { createStacHost, type StacHostDefinition } from '../../../platform/integrations/hosts/stac/stac-host.ts'
import { createSafeFetch } from '../../../platform/integrations/safe-fetch.ts'
import { handler as itemsTileRender } from '../../tiles/operations/items.tile.render.ts'
import { handler as catalogTileRender } from '../operations/catalog.tile.render.ts'

/** Scenes of a STAC API, whose files are read from their server by ranges. */
let app: Awaited<ReturnType<typeof openTestServices>>
let fixture: Awaited<ReturnType<typeof app.createOrganization>>
let tiff: Uint8Array
let item_id: string
const tile = findTileAt(10.45, 50.52, 14)

before(async () => {
  app = await openTestServices()
  fixture = await app.createOrganization()
  tiff = await encodeCog(sceneInput)
  const asset = await storeRasterAsset(app.blobs, sceneInput, sceneBands)
  item_id = (await deliverItem(fixture.owner, fixture.project, { assets: [asset] })).item_id
})
after(() => app.close())

async function startApi(t: TestContext): Promise<TestServer> {
  const asset = {
    href: 'scene.tif',
    type: 'image/tiff; application=geotiff',
    roles: ['data'],
    'eo:bands': sceneBands,
  }
  const missing = { ...asset, href: 'missing.tif' }
  const items = [
    stacItem('one', '2025-01-01T00:00:00Z', { assets: { data: asset } }),
    stacItem('broken', '2025-01-01T00:00:00Z', { assets: { data: missing } }),
  ]
  const server = await startTestServer(({ path, query, body }, url) => {
    if (path === '/') return { body: landingPage(url) }
    if (path === '/collections') return { body: collectionList }
    if (path === '/scene.tif') return { headers: { etag: '"1"' }, body: tiff }
    if (path !== '/search') return { status: 404, body: {} }
    const ids = (body?.['ids'] as string[] | undefined) ?? query.get('ids')?.split(',') ?? []
    return { body: { type: 'FeatureCollection', features: items.filter(({ id }) => ids.includes(id)) } }
  })
  t.after(() => server.close())
  return server
}

async function invoke(
  handler: OperationHandler,
  input: Record<string, unknown>,
  url: string,
  row: Partial<StacHostDefinition> = {},
): Promise<BytesResponse> {
  const host = createHost(url, row)
  const integrations = { ...app.integrations, hosts: new Map([[host.name, host]]) }
  const parsed = readCallInput(handler.operation, input) as never
  return (await handler.handle({ ...fixture.owner, integrations }, parsed)) as BytesResponse
}

const hosts = new Map<string, ReturnType<typeof createStacHost>>()

/** One host for each server and row, as in a process. */
function createHost(url: string, row: Partial<StacHostDefinition>) {
  const key = url + JSON.stringify(row)
  const host =
    hosts.get(key) ??
    createStacHost(
      { ...knownStacHosts['earth-search'], collections: null, url, name: 'remote', allow_private: true, ...row },
      {
        clock: { now: () => new Date('2026-01-01T00:00:00Z') },
        token: 'secret-token',
        createFetch: (outside_allow) =>
          createSafeFetch({ config: { outside_allow, outside_timeout_ms: 2000, outside_limit_bytes: 1024 * 1024 } }),
      },
    )
  hosts.set(key, host)
  return host
}

const request = {
  collection: 'scenes',
  scene_id: 'one',
  visualization: 'true_color',
  ...tile,
  format: 'png',
  rescale: '0,5000',
}
const hasProblem = (problem: string) => (error: unknown) => {
  assert.ok(error instanceof Problem && error.problem === problem, String(error))
  return true
}

test('a scene of a STAC API is rendered from its file, and its item is read once', async (t) => {
  const api = await startApi(t)
  const shown = decodePng((await invoke(catalogTileRender, request, api.url)).body)
  const style = { bands: 'red,green,blue', rescale: '0,5000', format: 'png' }
  const expected = decodePng((await invoke(itemsTileRender, { item_id, ...tile, ...style }, api.url)).body)
  assert.ok(Buffer.from(shown.data).equals(expected.data))
  const searches = () => api.requests.filter(({ path }) => path === '/search').length
  assert.equal(searches(), 1)
  await invoke(catalogTileRender, { ...request, visualization: 'ndvi', x: tile.x + 1 }, api.url)
  assert.equal(searches(), 1)
})

test('an unreadable file and a silent server are failures of the host; unknown scenes are not found', async (t) => {
  const api = await startApi(t)
  await assert.rejects(invoke(catalogTileRender, { ...request, scene_id: 'broken' }, api.url), hasProblem('upstream'))
  await assert.rejects(invoke(catalogTileRender, { ...request, scene_id: 'two' }, api.url), hasProblem('not-found'))
  await assert.rejects(invoke(catalogTileRender, { ...request, collection: 'radar' }, api.url), hasProblem('not-found'))
  await assert.rejects(invoke(catalogTileRender, request, 'http://127.0.0.1:9'), hasProblem('upstream'))
})

test('files that need the token of the operator are not read for a map', async (t) => {
  const api = await startApi(t)
  await assert.rejects(
    invoke(catalogTileRender, request, api.url, { signing: 'bearer' }),
    hasProblem('unsupported-raster'),
  )
  assert.ok(!api.requests.some(({ path }) => path === '/scene.tif'))
})
