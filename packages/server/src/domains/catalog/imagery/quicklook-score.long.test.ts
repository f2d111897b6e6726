import assert from 'node:assert/strict'
import { after, before, test, type TestContext } from 'node:test'
import type { SceneAreaScore } from '@swath/contract/schemas/catalog.ts'
import { boundsToPolygon } from '@swath/geo/bbox.ts'
import {
  createCrsFromEpsg,
  encodePixelBlockAsImage,
  openFileSource,
  lonLatToCrs,
  openRaster,
  readPreview,
  type ImageFormat,
} from '@swath/raster'
import { collectionList, landingPage, stacItem, startTestServer } from '../../../../test/hosts/stac-server.ts'
import { openTestServices } from '../../../../test/test-services.ts'
import { readCallInput } from '../../../engine/input/read-input.ts'
import { createDemoHosts } from '../../../platform/integrations/hosts/demo/demo-hosts.ts'
import { knownStacHosts } from '../../../platform/integrations/hosts/known-hosts.ts'
import { createStacHost } from '../../../platform/integrations/hosts/stac/stac-host.ts'
import type { HostGrid, HostQuicklook, HostScene, ImageryHost } from '../../../platform/integrations/imagery-host.ts'
import { createSafeFetch } from '../../../platform/integrations/safe-fetch.ts'
import { handler } from '../operations/catalog.aoi_score.ts'
import { renderQuicklook } from '../scene-quicklook.ts'

/** Scores of scenes of which only a quicklook can be read. */
let app: Awaited<ReturnType<typeof openTestServices>>
let fixture: Awaited<ReturnType<typeof app.createOrganization>>
let open: ImageryHost

before(async () => {
  app = await openTestServices()
  fixture = await app.createOrganization()
  open = (await createDemoHosts(new URL('../../../../demo/', import.meta.url), renderQuicklook))[0]!
})
after(() => app.close())

type Colour = readonly [red: number, green: number, blue: number] | null
const cloud: Colour = [240, 242, 245]
const field: Colour = [90, 120, 60]
const roof: Colour = [250, 120, 110]
const black: Colour = [0, 0, 0]

type Size = readonly [width: number, height: number]

/** An image of flat colours; null is transparent. */
function draw(
  [width, height]: Size,
  colourAt: (column: number, row: number) => Colour,
  format: ImageFormat = 'png',
): Uint8Array {
  const count = width * height
  const data = new Uint8Array(count * 3)
  const mask = new Uint8Array(count)
  for (let pixel = 0; pixel < count; pixel += 1) {
    const colour = colourAt(pixel % width, Math.floor(pixel / width))
    mask[pixel] = colour ? 255 : 0
    for (let band = 0; band < 3; band += 1) data[band * count + pixel] = colour?.[band] ?? 0
  }
  return encodePixelBlockAsImage({ width, height, bands: 3, data, mask }, null, format, 90)
}

/** A host with the scene `made`, of which it only shows an image. */
async function createHost(image: HostQuicklook | null, geometry: unknown = square): Promise<ImageryHost> {
  const [template] = await open.search({ limit: 1 })
  const scene = { ...template!, id: 'made', geometry, properties: {} } as HostScene
  const { sceneFiles: _, ...closed } = open
  return { ...closed, search: async () => [scene], quicklook: async () => image }
}

async function scoreIn(host: ImageryHost, geometry: unknown, image_ids = ['made']): Promise<SceneAreaScore[]> {
  const integrations = { ...app.integrations, hosts: new Map([[host.name, host]]) }
  const input = readCallInput(handler.operation, { host_name: host.name, image_ids, geometry })
  const output = await handler.handle({ ...fixture.owner, integrations }, input as never)
  return (output as { scores: SceneAreaScore[] }).scores
}

const box = (west: number, south: number, east: number, north: number) => boundsToPolygon([west, south, east, north])
const square = box(10, 50, 11, 51)
const png = (bytes: Uint8Array): HostQuicklook => ({ bytes, media_type: 'image/png' })

const near = (actual: number | null, expected: number, message: string, tolerance = 1.5): void =>
  assert.ok(actual !== null && Math.abs(actual - expected) <= tolerance, `${message}: ${actual}, not ${expected}`)

test('cloud in a quicklook is counted within the area, without transparent and black pixels', async () => {
  // A tenth is transparent and a tenth black; of the rest the left half is cloud, and a quarter a red roof.
  const colourAt = (column: number, row: number): Colour =>
    row < 20 ? null : row >= 180 ? black : column < 100 ? cloud : row < 100 ? roof : field
  const host = await createHost(png(draw([200, 200], colourAt)))
  const [whole] = await scoreIn(host, square)
  assert.deepEqual([whole!.source, whole!.haze_percent, whole!.reason], ['quicklook', null, null])
  near(whole!.covered_percent, 100, 'the footprint')
  near(whole!.measured_percent, 80, 'with pixels')
  near(whole!.cloud_percent, 50, 'cloud')
  const [east] = await scoreIn(host, box(10.6, 50.2, 10.9, 50.8))
  near(east!.cloud_percent, 0, 'the clear half')
  near(east!.measured_percent, 100, 'the clear half')
  const [edge] = await scoreIn(host, box(10.3, 50.3, 10.7, 50.6))
  near(edge!.cloud_percent, 50, 'half in cloud')
  const [beyond] = await scoreIn(host, box(10.75, 50.3, 11.25, 50.6))
  near(beyond!.measured_percent, 50, 'half beside the scene')
  const [tiny] = await scoreIn(host, box(10.2001, 50.5001, 10.2002, 50.5002))
  assert.equal(tiny!.cloud_percent, 100, 'an area within one pixel of the image')
})

test('an image is placed on its own grid, on that of its scene if it has its proportions, else on the footprint', async () => {
  const crs = await createCrsFromEpsg(32632)
  const [west, north] = lonLatToCrs(crs, 10, 51)
  /** A grid of 100 × 100 km from the corner of the footprint to the east and south. */
  const grid: HostGrid = {
    epsg: 32632,
    corners: [
      [west!, north!],
      [west! + 100_000, north!],
      [west! + 100_000, north! - 100_000],
      [west!, north! - 100_000],
    ],
  }
  const colourAt = (column: number): Colour => (column < 50 ? cloud : field)
  // Half of the grid is 50 km, about 0.713 degrees here; half of the footprint is 0.5 degrees.
  const area = box(10.52, 50.5, 10.68, 50.6)
  const cases: readonly (readonly [string, Size, Partial<HostQuicklook>, number])[] = [
    ['its own grid', [100, 50], { grid }, 100],
    ['the grid of its scene', [100, 100], { scene_grid: grid }, 100],
    ['other proportions', [100, 90], { scene_grid: grid }, 0],
    ['an unknown reference system', [100, 100], { scene_grid: { ...grid, epsg: 999_999 } }, 0],
    ['the footprint', [100, 100], {}, 0],
  ]
  for (const [name, size, place, expected] of cases) {
    const [score] = await scoreIn(await createHost({ ...png(draw(size, colourAt)), ...place }), area)
    assert.equal(score!.cloud_percent, expected, name)
  }
})

test('the corners of a slanted footprint are those of the image, also of a JPEG', async () => {
  const ring = [
    [10.2, 51],
    [11.2, 50.8],
    [11, 50],
    [10, 50.2],
    [10.2, 51],
  ]
  const bytes = draw([160, 120], (column) => (column < 40 ? cloud : field), 'jpeg')
  const footprint = { type: 'Polygon', coordinates: [ring] }
  const [score] = await scoreIn(await createHost({ bytes, media_type: 'image/jpeg' }, footprint), footprint)
  near(score!.cloud_percent, 25, 'a quarter of a slanted scene')
  near(score!.measured_percent, 100, 'the whole of it', 2)
})

test('an image that cannot show clouds has a reason instead of a figure', async () => {
  const good = draw([20, 20], () => cloud)
  const parts = {
    type: 'MultiPolygon',
    coordinates: [box(10, 50, 11, 51), box(12, 50, 13, 51)].map((part) => part.coordinates),
  }
  const cases: readonly (readonly [RegExp, HostQuicklook | null, unknown?])[] = [
    [/no quicklook/, null],
    [/neither a JPEG/, png(Buffer.from('<!doctype html><title>Sign in</title>'))],
    [/cannot be decoded/, png(good.subarray(0, 60))],
    [/allowed/, png(draw([4000, 2001], () => null))],
    [/made from these files/, { ...png(good), is_stretched: true }],
    [/where the quicklook lies/, png(good), parts],
  ]
  for (const [reason, image, footprint] of cases) {
    const [score] = await scoreIn(await createHost(image, footprint), square)
    assert.deepEqual([score!.source, score!.cloud_percent, score!.measured_percent], [null, null, 0])
    assert.match(score!.reason ?? '', reason)
    near(score!.covered_percent, 100, 'the footprint is known all the same')
  }
  const host = await createHost(png(good))
  const collections = host.collections.map((collection) => ({ ...collection, data_type: 'sar' }))
  const [radar] = await scoreIn({ ...host, collections }, square)
  assert.match(radar!.reason ?? '', /not an optical image/)
})

/** A STAC API whose files need a token, with a scene for each thumbnail. */
async function startApi(t: TestContext) {
  const thumbnails: Readonly<Record<string, { status?: number; headers?: Record<string, string>; body: unknown }>> = {
    good: { body: draw([40, 40], (column) => (column < 10 ? cloud : field)) },
    page: { headers: { 'content-type': 'image/png' }, body: '<html>Sign in</html>' },
    long: { body: Buffer.concat([draw([4, 4], () => cloud), Buffer.alloc(9 * 1024 * 1024)]) },
    away: { status: 302, headers: { location: 'http://127.0.0.1:9/x.png' }, body: '' },
    denied: { status: 403, body: '' },
    cut: { body: draw([40, 40], () => cloud).subarray(0, 50) },
  }
  const items = Object.keys(thumbnails).map((id) => stacItem(id, '2025-01-01T00:00:00Z'))
  const server = await startTestServer(({ path, query, body }, url) => {
    if (path === '/') return { body: landingPage(url) }
    if (path === '/collections') return { body: collectionList }
    const thumbnail = thumbnails[path.slice(1).replace('.png', '')]
    if (thumbnail) return thumbnail
    if (path !== '/search') return { status: 401, body: {} }
    const ids = (body?.['ids'] as string[] | undefined) ?? query.get('ids')?.split(',') ?? []
    return { body: { type: 'FeatureCollection', features: items.filter(({ id }) => ids.includes(id)) } }
  })
  t.after(() => server.close())
  const row = {
    ...knownStacHosts['earth-search'],
    collections: null,
    url: server.url,
    name: 'remote',
    allow_private: true,
  }
  const createHostOf = (signing: 'none' | 'bearer') =>
    createStacHost(
      { ...row, signing },
      {
        clock: { now: () => new Date('2026-01-01T00:00:00Z') },
        token: 'secret-token',
        createFetch: (outside_allow) =>
          createSafeFetch({ config: { outside_allow, outside_timeout_ms: 2000, outside_limit_bytes: 1024 * 1024 } }),
      },
    )
  return { server, createHostOf, ids: Object.keys(thumbnails) }
}

test('scenes of a host whose files need a token are scored by their thumbnails; a bad one spoils no other', async (t) => {
  const { server, createHostOf, ids } = await startApi(t)
  for (const signing of ['bearer', 'none'] as const) {
    const scores = await scoreIn(createHostOf(signing), square, ids)
    assert.deepEqual(
      scores.map(({ scene_id, source }) => [scene_id, source]),
      ids.map((id) => [id, id === 'good' ? 'quicklook' : null]),
    )
    near(scores[0]!.cloud_percent, 25, signing)
    assert.equal(scores[0]!.scene_cloud_percent, 7)
    for (const { reason, cloud_percent } of scores.slice(1)) {
      assert.equal(cloud_percent, null)
      assert.match(reason ?? '', /quicklook|decoded/)
    }
  }
  assert.ok(!server.requests.some(({ path, headers }) => path === '/good.tif' && headers['authorization']))
})

/** Sample values of black and white in the quicklook of a provider: reflectance 0 and, as for Sentinel-2, 0.3558. */
const ends: Readonly<Record<string, readonly [black: number, white: number]>> = {
  'sentinel-2-l2a exe': [1000, 4558],
  'sentinel-2-l2a': [0, 3558],
  'hls2-s30': [0, 3558],
  // Numbers of Collection 1: reflectance 0.00002 × number − 0.1.
  'landsat-c1-l1': [5000, 22_790],
}

/** The image that a provider would show of a scene of the archive: its red, green and blue as a JPEG. */
async function showScene(scene: HostScene): Promise<HostQuicklook> {
  const { files } = (await open.sceneFiles!(scene.id))!
  const place = scene.id.includes('exe') ? `${scene.collection} exe` : scene.collection
  const [dark, white] = (ends[place] ?? ends[scene.collection])!
  const planes: Uint8Array[] = []
  let size = { width: 0, height: 0 }
  for (const name of ['red', 'green', 'blue']) {
    const file = files.find(({ bands }) => bands.some(({ common_name }) => common_name === name))!
    assert.ok(file.location.kind === 'local')
    const source = await openFileSource(file.location.path)
    const raster = await openRaster(source)
    size = { width: raster.width, height: raster.height }
    const band = file.bands.findIndex(({ common_name }) => common_name === name)
    const { data, mask } = await readPreview(raster, { ...size, bands: [band] })
    await source.close()
    const level = (at: number): number => Math.min(255, Math.max(0, ((data[at]! - dark) / (white - dark)) * 255))
    planes.push(Uint8Array.from({ length: data.length }, (_, at) => (mask[at] === 0 || data[at] === 0 ? 0 : level(at))))
  }
  const data = new Uint8Array(Buffer.concat(planes))
  const mask = new Uint8Array(size.width * size.height).fill(255)
  return {
    bytes: encodePixelBlockAsImage({ ...size, bands: 3, data, mask }, null, 'jpeg', 80),
    media_type: 'image/jpeg',
  }
}

test('for real scenes the estimate from a quicklook is near the mask of the provider', async (t) => {
  const scenes = await open.search({ limit: 100 })
  const masked = scenes.filter(({ collection, id }) => collection in ends && id !== 'l8-elkton')
  const differences: number[] = []
  for (const scene of masked) {
    const [byMask] = await scoreIn(open, scene.geometry, [scene.id])
    const image = await showScene(scene)
    const { sceneFiles: _, ...closed } = open
    const [byImage] = await scoreIn({ ...closed, quicklook: async () => image }, scene.geometry, [scene.id])
    assert.deepEqual([byMask!.source, byImage!.source], ['cloud-mask', 'quicklook'])
    differences.push(byImage!.cloud_percent! - byMask!.cloud_percent!)
    t.diagnostic(
      `${scene.id}: mask ${byMask!.cloud_percent} %, quicklook ${byImage!.cloud_percent} %, ` +
        `with pixels ${byMask!.measured_percent} % and ${byImage!.measured_percent} %`,
    )
  }
  const mean = differences.reduce((sum, difference) => sum + Math.abs(difference), 0) / differences.length
  t.diagnostic(
    `mean difference ${mean.toFixed(1)}, largest ${Math.max(...differences.map(Math.abs)).toFixed(1)} of 100`,
  )
  assert.ok(mean <= 10, `${mean}`)
  // It misses thin cloud, which masks have, and hardly takes land for cloud: none of these scenes has snow or sand.
  assert.ok(Math.max(...differences) <= 4, `${differences}`)
})
