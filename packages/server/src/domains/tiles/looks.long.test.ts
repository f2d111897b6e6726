import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { findTileAt } from '@swath/geo/tile-grid.ts'
import { day_ms } from '@swath/geo/time-units.ts'
import type { TileJson } from '@swath/contract/schemas/tilejson.ts'
import { openFileSource, openRaster, type CogInput } from '@swath/raster'
import { blockToPixelRows } from '@swath/raster/test/pixel-rows.ts'
import { readCallInput, requireValidOutput } from '../../engine/input/read-input.ts'
import type { BytesResponse } from '../../engine/operation-response.ts'
import { Problem } from '../../engine/problem.ts'
import { sql } from '../../platform/database/sql.ts'
import { newId } from '../../platform/ids.ts'
import { deliverItem, openTestServices } from '../../../test/test-services.ts'
import { decodePng, encodeCog, sceneBands, sceneInput, storeRasterAsset } from '../../../test/rasters.ts'
import type { BandNameOverride } from '../items/assets/read-raster-metadata.ts'
import { operationHandlers } from '../handlers.ts'
import { renderThumbnail } from './preview.ts'
import { getCallerRasterJobRunner } from './raster-pool.ts'

let app: Awaited<ReturnType<typeof openTestServices>>
let fixture: Awaited<ReturnType<typeof app.createOrganization>>
const tile = findTileAt(10.45, 50.52, 14)

before(async () => {
  app = await openTestServices()
  fixture = await app.createOrganization()
})
after(() => app.close())

async function invoke<T>(id: string, input: Record<string, unknown>): Promise<T> {
  const handler = operationHandlers.get(id)!
  const read = readCallInput(handler.operation, structuredClone(input)) as never
  const response = (await handler.handle({ ...fixture.owner, operation: id }, read)) as T
  if (handler.operation.response_kind === 'json') requireValidOutput(handler.operation, response)
  return response
}

const renderTile = (item_id: string, style: Record<string, unknown> = {}) =>
  invoke<BytesResponse>('items.tile.render', { item_id, ...tile, format: 'png', ...style })
const getEtag = async (item_id: string, style: Record<string, unknown> = {}) =>
  (await renderTile(item_id, style)).headers['etag']

const hasProblem = (problem: string, path: string) => (error: unknown) => {
  assert.ok(error instanceof Problem, String(error))
  assert.equal(error.problem, problem, error.message)
  assert.ok(JSON.stringify(error.extra['errors']).includes(`"${path}"`), JSON.stringify(error.extra['errors']))
  return true
}

/** The test scene as reflectances times 10,000. */
const reflectances: CogInput = { ...sceneInput, bands: sceneInput.bands.map((band) => ({ ...band, scale: 0.0001 })) }

async function storeItem(input: CogInput, bands: readonly BandNameOverride[]): Promise<string> {
  const asset = await storeRasterAsset(app.blobs, input, bands)
  return (await deliverItem(fixture.owner, fixture.project, { assets: [asset] })).item_id
}

/** One band of 512 × 512 samples of a type. */
const singleBand = (
  sampleType: 'uint8' | 'float32',
  valueAt: (pixel: number) => number,
  more: Partial<CogInput> = {},
): CogInput => ({
  ...sceneInput,
  sampleType,
  nodata: null,
  bands: [{ name: null, colour: 'undefined', scale: 1, offset: 0 }],
  readRows: async (top, rows) => {
    const count = sceneInput.width * rows
    const data = new (sampleType === 'uint8' ? Uint8Array : Float32Array)(count)
    for (let pixel = 0; pixel < count; pixel++) data[pixel] = valueAt(top * sceneInput.width + pixel)
    const mask = new Uint8Array(count).fill(255)
    return blockToPixelRows({ width: sceneInput.width, height: rows, bands: 1, data, mask })
  },
  ...more,
})

test('true colour of reflectances is natural by default; linear is the old look', async () => {
  const item_id = await storeItem(reflectances, sceneBands)
  const natural = await renderTile(item_id)
  for (const same of [{ bands: 'red,green,blue' }, { profile: 'true-color' }, { stretch: 'natural' }])
    assert.deepEqual((await renderTile(item_id, same)).body, natural.body, JSON.stringify(same))
  const explicit = await renderTile(item_id, { rescale: '0,15000', stretch: 'natural' })
  assert.deepEqual(explicit.body, natural.body, 'reflectances from 0 to 1.5')
  const linear = await renderTile(item_id, { stretch: 'linear' })
  const { raster } = await storeRasterAsset(app.blobs, reflectances, sceneBands)
  const ranges = [2, 1, 0].map((band) => {
    const { p2, p98 } = raster!.bands[band]!.statistics!
    return `${p2},${p98}`
  })
  assert.deepEqual(linear.body, (await renderTile(item_id, { rescale: ranges.join(';') })).body)
  const image = decodePng(natural.body)
  const sample = image.pixelAt(128, 128)
  // About 2350, 1350 and 350: 0.235 is 0.157 of the range, and 0.157 * 1.1 / (0.157 + 0.1) is 0.67.
  const expected = [171, 133, 53]
  sample.slice(0, 3).forEach((shade, at) => assert.ok(Math.abs(shade - expected[at]!) < 12, `${sample}`))
  const etags = await Promise.all([{}, { stretch: 'linear' }, { color_formula: 'gamma RGB 2' }].map((one) => getEtag(item_id, one))) // prettier-ignore
  assert.equal(new Set(etags).size, 3)
})

test('other combinations, single bands and chosen ranges stay linear', async () => {
  const item_id = await storeItem(reflectances, sceneBands)
  for (const style of [{ bands: 'nir,red,green' }, { bands: 'nir' }, { rescale: '0,3000' }, { expression: 'nir-red' }])
    assert.deepEqual(
      (await renderTile(item_id, style)).body,
      (await renderTile(item_id, { ...style, stretch: 'linear' })).body,
      JSON.stringify(style),
    )
})

test('an image of bytes is shown as it is stored', async () => {
  const bytes: CogInput = {
    ...sceneInput,
    sampleType: 'uint8',
    nodata: null,
    bands: ['red', 'green', 'blue'].map((colour) => ({ name: null, colour, scale: 1, offset: 0 })),
    readRows: async (_, rows) => {
      const count = 512 * rows
      const data = Uint8Array.from(
        { length: count * 3 },
        (_unused, at) => 20 + ((at % count) % 512) / 8 + Math.floor(at / count),
      )
      return blockToPixelRows({ width: 512, height: rows, bands: 3, data, mask: new Uint8Array(count).fill(255) })
    },
  }
  const item_id = await storeItem(bytes, [])
  assert.deepEqual((await renderTile(item_id)).body, (await renderTile(item_id, { rescale: '0,255' })).body)
  assert.notDeepEqual((await renderTile(item_id, { stretch: 'linear' })).body, (await renderTile(item_id)).body)
})

test('a colour formula is applied to tiles, previews and profiles, and refused by field', async () => {
  const item_id = await storeItem(reflectances, sceneBands)
  const color_formula = 'gamma RGB 2, saturation 0'
  const [plain, styled] = [await renderTile(item_id), await renderTile(item_id, { color_formula })]
  const [before_, after_] = [decodePng(plain.body).pixelAt(128, 128), decodePng(styled.body).pixelAt(128, 128)]
  assert.ok(Math.max(...after_.slice(0, 3)) - Math.min(...after_.slice(0, 3)) <= 1, `${after_} is grey`)
  assert.ok(after_[1]! > before_[1]!, `${after_} is brighter than ${before_}`)
  const preview = async (style: object) =>
    (await invoke<BytesResponse>('items.tile.preview', { item_id, width: 64, height: 64, ...style })).body
  assert.notDeepEqual(await preview({ color_formula }), await preview({}))
  const config = { bands: 'red,green,blue', color_formula, stretch: 'natural' }
  await invoke('visualization.profile.create', { item_id, name: 'grey', type: 'rgb', config })
  assert.deepEqual((await renderTile(item_id, { profile: 'grey' })).body, styled.body)
  const gray = await renderTile(item_id, { bands: 'nir', color_formula: 'sigmoidal RGB 5 0.5' })
  assert.notDeepEqual(gray.body, (await renderTile(item_id, { bands: 'nir' })).body)
  for (const [style, path] of [
    [{ color_formula: 'vibrance 2' }, 'color_formula'],
    [{ color_formula: 'gamma RGB 0' }, 'color_formula'],
    [{ color_formula: 'saturation 2', bands: 'nir' }, 'color_formula'],
    [{ color_formula: 'x'.repeat(201) }, 'color_formula'],
    [{ stretch: 'natural', bands: 'nir' }, 'stretch'],
    [{ stretch: 'sqrt' }, 'stretch'],
  ] as const)
    await assert.rejects(renderTile(item_id, style), hasProblem('validation', path), JSON.stringify(style))
  for (const wrong of [{ color_formula: 'gamma' }, { color_formula: 7 }, { stretch: 'sqrt' }]) {
    const input = { item_id, name: 'x', type: 'rgb', config: { bands: 'red,green,blue', ...wrong } }
    const [path] = Object.keys(wrong)
    await assert.rejects(invoke('visualization.profile.create', input), hasProblem('validation', `config.${path}`))
  }
})

const readTileJson = (item_id: string) => invoke<TileJson>('items.tile.tilejson', { item_id })

test('an item of a known index opens in its colours and range, also its thumbnail', async () => {
  const input = singleBand('float32', (pixel) => (pixel % 512) / 512 - 0.2)
  const item_id = await storeItem(input, [{ name: 'NDVI', common_name: null }])
  const { legend } = await readTileJson(item_id)
  assert.ok(legend && legend.range && legend.colormap, JSON.stringify(legend))
  assert.match(legend.title, /vegetation/i)
  const explicit = { bands: '1', rescale: legend.range.join(), colormap: legend.colormap }
  assert.deepEqual((await renderTile(item_id)).body, (await renderTile(item_id, explicit)).body)
  const gray = decodePng((await renderTile(item_id, { stretch: 'linear' })).body)
  assert.equal(gray.channels, 1)
  const unnamed = await storeItem(input, [{ name: 'value', common_name: null }])
  assert.deepEqual((await renderTile(unnamed)).body, (await renderTile(item_id, { stretch: 'linear' })).body)
  assert.equal((await readTileJson(unnamed)).legend, undefined)
  // Integers with a scale have the range in their samples; those of another unit have the colours alone.
  const scaled = singleBand('uint8', (pixel) => (pixel % 100) + 50, {
    bands: [{ name: 'ndvi', colour: 'undefined', scale: 0.01, offset: -1 }],
  })
  assert.deepEqual((await readTileJson(await storeItem(scaled, []))).legend?.range, [80, 190])
  const counts = singleBand('uint8', (pixel) => pixel % 250, {
    bands: [{ name: 'ndvi', colour: 'undefined', scale: 1, offset: 0 }],
  })
  const other = await readTileJson(await storeItem(counts, []))
  assert.deepEqual([other.legend?.range, other.legend?.colormap], [null, legend.colormap])
})

test('a classification opens in its classes: from STAC, from its palette, from a known product or numbered', async () => {
  const input = singleBand('uint8', (pixel) => [4, 5, 6][Math.floor((pixel % 512) / 20) % 3]!)
  const asset = await storeRasterAsset(app.blobs, input, [{ name: 'cover', common_name: null }])
  const stac = {
    'classification:classes': [
      { value: 4, name: 'forest', color_hint: '00AA00' },
      { value: 5, description: 'Bare soil', 'color-hint': 'aa7700' },
      { value: 6, name: 'water', title: 'Open water' },
      { value: 'x' },
    ],
  }
  const { item_id } = await deliverItem(fixture.owner, fixture.project, { assets: [{ ...asset, stac }] })
  const { legend } = await readTileJson(item_id)
  assert.deepEqual(legend?.classes, [
    { value: 4, name: 'forest', color: '#00aa00' },
    { value: 5, name: 'Bare soil', color: '#aa7700' },
    { value: 6, name: 'Open water', color: '#2ca02c' },
  ])
  const assertColours = async (id: string, colours: Record<number, string>): Promise<void> => {
    const explicit = { bands: '1', colormap: JSON.stringify(colours) }
    assert.deepEqual((await renderTile(id)).body, (await renderTile(id, explicit)).body)
    assert.notDeepEqual(
      (await renderTile(id)).body,
      (await renderTile(id, { stretch: 'linear', colormap: 'gray' })).body,
    )
  }
  await assertColours(item_id, { 4: '#00aa00', 5: '#aa7700', 6: '#2ca02c' })

  const palette = new Uint8Array(768)
  palette.set([1, 2, 3], 12)
  palette.set([200, 100, 50], 15)
  palette.set([9, 9, 200], 18)
  const withPalette = singleBand('uint8', (pixel) => [4, 5, 6][Math.floor((pixel % 512) / 20) % 3]!, {
    palette,
    bands: [{ name: null, colour: 'palette', scale: 1, offset: 0 }],
  })
  const palettized = await storeRasterAsset(app.blobs, withPalette, [])
  const palette_id = (await deliverItem(fixture.owner, fixture.project, { assets: [palettized] })).item_id
  await assertColours(palette_id, { 4: '#010203', 5: '#c86432', 6: '#0909c8' })
  const named = (await readTileJson(palette_id)).legend?.classes
  assert.deepEqual(named?.map(({ value, color }) => [value, color]), [[4, '#010203'], [5, '#c86432'], [6, '#0909c8']]) // prettier-ignore
  // Statistics of a sample of the pixels, which a file may bring with it, do not have every value.
  const sampled = palettized.raster!.bands.map((band) => ({ ...band, classes: band.classes!.slice(1, 2) }))
  const fewer = { ...palettized, id: newId(), raster: { ...palettized.raster!, bands: sampled } }
  const fewer_id = (await deliverItem(fixture.owner, fixture.project, { assets: [fewer] })).item_id
  await assertColours(fewer_id, { 4: '#010203', 5: '#c86432', 6: '#0909c8' })
  assert.deepEqual((await readTileJson(fewer_id)).legend?.classes, [{ value: 5, name: null, color: '#c86432' }])

  const scl = await storeRasterAsset(app.blobs, input, [{ name: 'SCL', common_name: null }])
  const categorical = (stored: typeof scl) => ({
    ...stored,
    raster: { ...stored.raster!, bands: stored.raster!.bands.map((band) => ({ ...band, categorical: true })) },
  })
  const scl_id = (await deliverItem(fixture.owner, fixture.project, { assets: [categorical(scl)] })).item_id
  assert.equal((await readTileJson(scl_id)).legend?.classes?.[3]?.name, 'Vegetation')
  await assertColours(scl_id, { 4: '#00a000', 5: '#ffe65a', 6: '#0000ff' })
  const numbered = (
    await deliverItem(fixture.owner, fixture.project, { assets: [categorical({ ...asset, id: newId() })] })
  ).item_id
  assert.deepEqual(
    (await readTileJson(numbered)).legend?.classes?.map(({ value }) => value),
    [4, 5, 6],
  )
})

test('the thumbnail of an index has its colours', async () => {
  const input = singleBand('float32', (pixel) => (pixel % 512) / 512)
  const { raster } = await storeRasterAsset(app.blobs, input, [{ name: 'ndwi', common_name: null }])
  const folder = await mkdtemp(join(tmpdir(), 'swath-looks-'))
  const path = join(folder, 'index.tif')
  await writeFile(path, await encodeCog(input))
  const opened = await openRaster(await openFileSource(path))
  try {
    const options = { raster: opened, width: 64, height: 64, jobs: getCallerRasterJobRunner(fixture.owner), signal: AbortSignal.timeout(20_000) } // prettier-ignore
    const coloured = await renderThumbnail({ ...options, bands: raster!.bands })
    const gray = await renderThumbnail({ ...options, bands: raster!.bands.map((band) => ({ ...band, name: 'x' })) })
    assert.notDeepEqual(coloured, gray)
  } finally {
    await opened.source.close()
    await rm(folder, { recursive: true, force: true })
  }
})

test('profiles and share links that were stored before keep their look', async () => {
  const item_id = await storeItem(reflectances, sceneBands)
  const linear = await renderTile(item_id, { stretch: 'linear' })
  const config = { bands: ['red', 'green', 'blue'] }
  const { id } = await invoke<{ id: string }>('visualization.profile.create', {
    item_id,
    name: 'old',
    type: 'rgb',
    config,
  })
  const ranged = { bands: ['red', 'green', 'blue'], rescale: [0, 3000] }
  const kept = await invoke<{ id: string }>('visualization.profile.create', { item_id, name: 'ranged', type: 'rgb', config: ranged }) // prettier-ignore
  const { id: link_id } = await invoke<{ id: string }>('share.link.create', {
    target_type: 'item',
    target_id: item_id,
    password: 'let me see it',
    expires_at: new Date(app.clock.now().getTime() + day_ms).toISOString(),
  })
  const path = new URL('../../../migrations/0094_stretch.sql', import.meta.url)
  const updates = (await readFile(path, 'utf8')).split(';').filter((statement) => /(^|\n)update /.test(statement))
  assert.equal(updates.length, 2)
  await app.database.runScript(updates.join(';'))
  assert.deepEqual((await renderTile(item_id, { profile: id })).body, linear.body)
  const rows = await fixture.owner.db.query<{ id: string; config: unknown }>(sql`
    select id, config from visualization_profiles where organization_id = ${fixture.organization} and item_id = ${item_id}
    order by name`)
  assert.deepEqual(rows, [
    { id, config: { ...config, stretch: 'linear' } },
    { id: kept.id, config: ranged },
  ])
  const links = await fixture.owner.db.query<{ default_stretch: string }>(sql`
    select default_stretch from share_links where organization_id = ${fixture.organization} and id = ${link_id}`)
  assert.deepEqual(links, [{ default_stretch: 'linear' }])
})
