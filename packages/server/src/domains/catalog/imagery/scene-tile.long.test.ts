import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { findTileAt, type Tile } from '@swath/geo/tile-grid.ts'
import { copyToCog, openFileSource, openRaster } from '@swath/raster'
import { decodePng, storeFileAsset } from '../../../../test/rasters.ts'
import { deliverItem, openTestServices } from '../../../../test/test-services.ts'
import type { OperationHandler } from '../../../engine/handler.ts'
import { readCallInput } from '../../../engine/input/read-input.ts'
import type { BytesResponse } from '../../../engine/operation-response.ts'
import { Problem } from '../../../engine/problem.ts'
import { createDemoHosts } from '../../../platform/integrations/hosts/demo/demo-hosts.ts'
import type { DemoScene } from '../../../platform/integrations/hosts/demo/demo-scenes.ts'
import type { Integrations } from '../../../platform/integrations/integrations.ts'
import { handler as itemsTileRender } from '../../tiles/operations/items.tile.render.ts'
import { handler as catalogTileRender } from '../operations/catalog.tile.render.ts'
import { renderQuicklook } from '../scene-quicklook.ts'

/** Tiles of the demonstration scenes, compared with those of items with the same files. */
let app: Awaited<ReturnType<typeof openTestServices>>
let fixture: Awaited<ReturnType<typeof app.createOrganization>>
let integrations: Integrations
let folder: string
const demoDir = new URL('../../../../demo/', import.meta.url)
const { scenes } = JSON.parse(await readFile(new URL('scenes.json', demoDir), 'utf8')) as { scenes: DemoScene[] }

before(async () => {
  app = await openTestServices()
  fixture = await app.createOrganization()
  folder = await mkdtemp(join(tmpdir(), 'swath-scenes-'))
  const hosts = await createDemoHosts(demoDir, renderQuicklook)
  integrations = { ...app.integrations, hosts: new Map(hosts.map((host) => [host.name, host])) }
})
after(async () => {
  await app.close()
  await rm(folder, { recursive: true, force: true })
})

const invoke = async (handler: OperationHandler, input: Record<string, unknown>): Promise<BytesResponse> =>
  (await handler.handle(
    { ...fixture.owner, integrations },
    readCallInput(handler.operation, input) as never,
  )) as BytesResponse

const requireScene = (id: string): DemoScene => scenes.find((scene) => scene.id === id)!

function centreTile({ bbox: [west, south, east, north] }: DemoScene, z: number): Tile {
  return findTileAt((west + east) / 2, (south + north) / 2, z)
}

const renderScene = (id: string, tile: Tile, input: Record<string, unknown> = {}) =>
  invoke(catalogTileRender, {
    collection: requireScene(id).collection,
    scene_id: id,
    visualization: 'true_color',
    ...tile,
    format: 'png',
    ...input,
  })

/** An item with the files of a scene, stacked into one. */
async function createItem({ id, assets: [asset] }: DemoScene): Promise<string> {
  const { files, nodata } = asset!
  const sources = await Promise.all(
    files.map(({ path }) => openFileSource(fileURLToPath(new URL(`scenes/${path}`, demoDir)))),
  )
  const rasters = await Promise.all(sources.map((source) => openRaster(source)))
  const path = join(folder, `${id}.tif`)
  const withNodata = rasters.map((raster) => (nodata === undefined ? raster : { ...raster, nodata }))
  await copyToCog(withNodata, null, path, {})
  await Promise.all(sources.map((source) => source.close()))
  const stored = await storeFileAsset(
    app.blobs,
    path,
    files.flatMap(({ bands }) => bands),
  )
  return (await deliverItem(fixture.owner, fixture.project, { assets: [stored] })).item_id
}

/** Asserts that two images have the same pixels; says how far they differ, since a diff of all of them takes minutes. */
function assertSamePixels(actual: Uint8Array, expected: Uint8Array, style: unknown): void {
  const [{ data }, { data: expectedData }] = [decodePng(actual), decodePng(expected)]
  assert.equal(data.length, expectedData.length, JSON.stringify(style))
  const differences = data
    .map((value, at) => Math.abs(value - expectedData[at]!))
    .filter((difference) => difference > 0)
  assert.equal(
    differences.length,
    0,
    `${JSON.stringify(style)}: ${differences.length}, ${Math.max(...differences.slice(0, 9))}`,
  )
}

const hasProblem = (problem: string, path?: string) => (error: unknown) => {
  assert.ok(error instanceof Problem, String(error))
  assert.equal(error.problem, problem, error.message)
  if (path) assert.deepEqual((error.extra['errors'] as { path: string }[])[0]?.path, path)
  return true
}

test('a tile of a scene in one file has the pixels of the item with the same file', async () => {
  const scene = requireScene('s2-bolzano-20220612')
  const item_id = await createItem(scene)
  const tile = centreTile(scene, 13)
  // The host states the scale, which the item here does not have.
  const reflectances = { bands: 'red,green,blue', rescale: '0,15000', stretch: 'natural' }
  for (const [style, itemStyle] of [
    [{}, reflectances],
    [{ color_formula: 'saturation 1.4' }, { ...reflectances, color_formula: 'saturation 1.4' }],
    [{ visualization: 'ndvi' }, { profile: 'ndvi' }],
    [
      { expression: 'nir/red', rescale: '0,5', colormap: 'viridis' },
      { expression: 'nir/red', rescale: '0,5', colormap: 'viridis' },
    ],
  ]) {
    const shown = await renderScene(scene.id, tile, style)
    const expected = await invoke(itemsTileRender, { item_id, ...tile, format: 'png', ...itemStyle })
    assertSamePixels(shown.body, expected.body, style)
  }
})

test('a tile of a scene in several files has the pixels of an item with the files in one', async () => {
  const scene = requireScene('l8-elkton')
  const item_id = await createItem(scene)
  const tile = centreTile(scene, 13)
  for (const [style, itemStyle] of [
    [{ rescale: '6000,14000' }, { bands: '4,3,2', rescale: '6000,14000' }],
    [{ visualization: 'ndvi' }, { profile: 'ndvi' }],
    [
      { expression: 'B5-B4', rescale: '0,9000' },
      { expression: 'B5-B4', rescale: '0,9000' },
    ],
  ]) {
    const shown = await renderScene(scene.id, tile, style)
    const expected = await invoke(itemsTileRender, { item_id, ...tile, format: 'png', ...itemStyle })
    assertSamePixels(shown.body, expected.body, style)
  }
  // Without a range, bands and expressions are stretched by their own pixels.
  for (const style of [{}, { expression: 'B5/B4' }]) {
    const { data } = decodePng((await renderScene(scene.id, tile, style)).body)
    assert.ok(new Set(data).size > 100, JSON.stringify(style))
  }
})

test('a scene for sale is shown no finer than its quicklook', async () => {
  const scene = requireScene('naip-nd-20190904')
  const item_id = await createItem(scene)
  const tile = centreTile(scene, 16)
  const count = ({ data, channels }: ReturnType<typeof decodePng>): number =>
    new Set(
      Array.from({ length: data.length / channels }, (_, at) => data.subarray(at * channels, at * channels + 3).join()),
    ).size
  const style = { bands: 'red,green,blue', rescale: '0,255' }
  const fine = count(decodePng((await invoke(itemsTileRender, { item_id, ...tile, format: 'png', ...style })).body))
  const shown = count(decodePng((await renderScene(scene.id, tile)).body))
  // The tile is a quarter of the scene's width; its quicklook has 512 pixels.
  assert.ok(shown > 100 && shown < fine / 3, `${shown} of ${fine}`)
})

test('a tile is clipped to an area, and empty outside of the scene', async () => {
  const scene = requireScene('s2-bolzano-20220612')
  const [west, south, east, north] = scene.bbox
  const tile = centreTile(scene, 11)
  const half = {
    type: 'Polygon',
    coordinates: [
      [
        [west, south],
        [(west + east) / 2, south],
        [(west + east) / 2, north],
        [west, north],
        [west, south],
      ],
    ],
  }
  const opaque = ({ data, channels }: ReturnType<typeof decodePng>): number =>
    data.filter((value, at) => at % channels === channels - 1 && value > 0).length
  const whole = decodePng((await renderScene(scene.id, tile)).body)
  const clipped = decodePng((await renderScene(scene.id, tile, { aoi_clip: JSON.stringify(half) })).body)
  assert.ok(Math.abs(opaque(clipped) / opaque(whole) - 0.5) < 0.05, `${opaque(clipped)} of ${opaque(whole)}`)
  const byBody = await renderScene(scene.id, tile, { aoi_clip_body: half })
  assert.ok(Buffer.from(decodePng(byBody.body).data).equals(clipped.data))
  const outside = decodePng((await renderScene(scene.id, findTileAt(100, 10, 8))).body)
  assert.ok(outside.data.every((value) => value === 0))
})

test('a tile is cached by its parameters, in every format', async () => {
  const scene = requireScene('s2-bolzano-20220612')
  const tile = centreTile(scene, 12)
  const etags = new Set<string>()
  for (const [format, media_type] of [
    ['png', 'image/png'],
    ['jpg', 'image/jpeg'],
    ['webp', 'image/webp'],
  ] as const) {
    const first = await renderScene(scene.id, tile, { format, quality: null })
    assert.equal(first.media_type, media_type)
    assert.equal((await renderScene(scene.id, tile, { format, quality: null })).body, first.body)
    assert.ok(first.body.length < 400_000)
    etags.add(first.headers!['etag'] as string)
  }
  assert.equal(etags.size, 3)
})

test('unknown scenes, collections and visualizations are not found, and invalid parameters are named', async () => {
  const scene = requireScene('l8-elkton')
  const tile = centreTile(scene, 12)
  const rows: readonly (readonly [Record<string, unknown>, string, string?])[] = [
    [{ scene_id: 'nothing' }, 'not-found'],
    [{ collection: 'nothing' }, 'not-found'],
    [{ collection: 'sentinel-2-l2a' }, 'not-found'],
    [{ provider: 'nobody' }, 'not-found'],
    [{ provider: 'commercial' }, 'not-found'],
    [{ visualization: 'nothing' }, 'not-found'],
    [{ expression: 'b4 +' }, 'validation', 'expression'],
    [{ expression: 'b40' }, 'validation', 'expression'],
    [{ rescale: 'a,b' }, 'validation', 'rescale'],
    [{ visualization: 'ndvi', colormap: 'nothing' }, 'validation', 'colormap'],
    [{ aoi_clip: '{"type":"Point"}' }, 'validation', 'aoi_clip'],
    [{ x: 5000 }, 'validation', 'x'],
    [{ format: 'gif' }, 'validation', 'format'],
    [{ quality: 0 }, 'validation', 'quality'],
  ]
  for (const [input, problem, path] of rows) {
    await assert.rejects(
      async () => renderScene(scene.id, tile, input),
      hasProblem(problem, path),
      JSON.stringify(input),
    )
  }
  assert.equal((await renderScene(scene.id, tile, { provider: 'open' })).media_type, 'image/png')
})
