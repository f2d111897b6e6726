import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import { after, before, test } from 'node:test'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { findTileAt } from '@swath/geo/tile-grid.ts'
import { decodeTerrainHeight } from '@swath/raster'
import type { BytesResponse } from '../../../engine/operation-response.ts'
import type { OperationHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import { requireValidOutput, readCallInput } from '../../../engine/input/read-input.ts'
import { baseUrl, deliverItem, openTestServices } from '../../../../test/test-services.ts'
import {
  decodePng,
  sceneInput,
  sceneBands,
  sceneValue,
  storeFileAsset,
  storeRasterAsset,
} from '../../../../test/rasters.ts'
import { formulaTemplates } from '../../band_formulas/templates.ts'
import { handler as cogColormaps } from '../operations/cog.colormaps.ts'
import { handler as cogFormulas } from '../operations/cog.formulas.ts'
import { handler as cogStatistics } from '../operations/cog.statistics.ts'
import { handler as cogTileTerrain } from '../operations/cog.tile.terrain.ts'
import { handler as itemsTileHistogram } from '../operations/items.tile.histogram.ts'
import { handler as itemsTileLine } from '../operations/items.tile.line.ts'
import { handler as itemsTilePoint } from '../operations/items.tile.point.ts'
import { handler as itemsTilePreview } from '../operations/items.tile.preview.ts'
import { handler as itemsTileStatistics } from '../operations/items.tile.statistics.ts'
import { handler as visualizationProfileCreate } from '../../visualization/operations/visualization.profile.create.ts'
import { toTerrainEncoding } from '../terrain.ts'

let app: Awaited<ReturnType<typeof openTestServices>>
let fixture: Awaited<ReturnType<typeof app.createOrganization>>
let item_id: string
let url: string
let elevationUrl: string

before(async () => {
  app = await openTestServices()
  fixture = await app.createOrganization()
  const asset = await storeRasterAsset(app.blobs, sceneInput, sceneBands)
  item_id = (await deliverItem(fixture.owner, fixture.project, { assets: [asset] })).item_id
  url = `${baseUrl}/api/v1/items/${item_id}/assets/${asset.id}`
  const file = new URL('../../../../../../fixtures/rasters/scenes/elevation-stormlake.tif', import.meta.url)
  const dem = await storeFileAsset(app.blobs, fileURLToPath(file))
  const { item_id: of } = await deliverItem(fixture.owner, fixture.project, { assets: [dem] })
  elevationUrl = `${baseUrl}/api/v1/items/${of}/assets/${dem.id}`
})
after(() => app.close())

type Input = Record<string, unknown>

async function invoke<T>(handler: OperationHandler, input: Input): Promise<T> {
  const response = await handler.handle(
    fixture.owner,
    readCallInput(handler.operation, structuredClone(input)) as never,
  )
  if (handler.operation.response_kind === 'json' && input['format'] !== 'png')
    requireValidOutput(handler.operation, response)
  return response as T
}

const hasProblem = (problem: string, path?: string) => (error: unknown) => {
  assert.ok(error instanceof Problem, String(error))
  assert.equal(error.problem, problem, error.message)
  if (path)
    assert.ok(JSON.stringify(error.extra['errors']).includes(`"${path}"`), JSON.stringify(error.extra['errors']))
  return true
}

const square = (lon: number, lat: number, half: number): AreaGeometry => ({
  type: 'Polygon',
  coordinates: [
    [
      [lon - half, lat - half],
      [lon + half, lat - half],
      [lon + half, lat + half],
      [lon - half, lat + half],
      [lon - half, lat - half],
    ],
  ],
})

interface Statistics {
  readonly min: number | null
  readonly max: number | null
  readonly mean: number | null
  readonly median: number | null
  readonly count: number
  readonly percentiles: Record<string, number>
  readonly histogram: { counts: number[] }
}
const statistics = async (input: Input) =>
  (await invoke<{ statistics: Record<string, Statistics> }>(cogStatistics, { url, ...input })).statistics

test('statistics are computed for the requested bands or expression', async () => {
  const geometry = square(10.45, 50.52, 0.005)
  assert.deepEqual(Object.keys(await statistics({ geometry })), ['b1', 'b2', 'b3', 'b4'])
  const { b4, b1 } = await statistics({ geometry, bands: 'nir,1', percentiles: [0, 50, 100] })
  assert.deepEqual([b4!.percentiles['0'], b4!.percentiles['100']], [b4!.min, b4!.max])
  assert.equal(b1!.percentiles['50'], b1!.median)
  assert.equal(b1!.histogram.counts.length, 10)
  const formula = await statistics({ geometry, expression: 'nir * 2 - b4' })
  assert.deepEqual(Object.keys(formula), ['nir * 2 - b4'])
  const { min: minimum, max: maximum, mean: average, count: pixels } = formula['nir * 2 - b4']!
  assert.deepEqual([minimum, maximum, average, pixels], [b4!.min, b4!.max, b4!.mean, b4!.count])
  const none = await statistics({ geometry, expression: 'log(0 - b1)' })
  const { min, mean, median, count, histogram } = none['log(0 - b1)']!
  assert.deepEqual([min, mean, median, count, histogram.counts], [null, null, null, 0, []])
})

test('measurements that are impossible are rejected by field', async () => {
  const geometry = square(10.45, 50.52, 0.005)
  await assert.rejects(statistics({ geometry: square(0, 0, 1) }), hasProblem('validation', 'geometry'))
  await assert.rejects(statistics({ geometry, bands: '7' }), hasProblem('validation', 'bands'))
  await assert.rejects(statistics({ geometry, bands: '1', expression: 'b1' }), hasProblem('validation', 'bands'))
  await assert.rejects(statistics({ geometry, expression: 'b9' }), hasProblem('validation', 'expression'))
  await assert.rejects(statistics({ geometry, percentiles: [101] }), hasProblem('validation', 'percentiles.0'))
  const open = {
    type: 'Polygon',
    coordinates: [
      [
        [10, 50],
        [11, 50],
        [11, 51],
        [10, 51],
      ],
    ],
  }
  await assert.rejects(statistics({ geometry: open }), hasProblem('validation', 'geometry.coordinates.0'))
  await assert.rejects(
    invoke(itemsTileStatistics, { item_id, expression: 'nothing + 1' }),
    hasProblem('validation', 'expression'),
  )
})

test('a point returns its pixel values, scaled only on request', async () => {
  const [column, row] = [300, 200]
  // The center of that pixel, by PROJ.
  const [lon, lat] = [10.45318118842921, 50.52483230841748]
  const result = await invoke<{ values: { name: string; band_name: string; value: number }[] }>(itemsTilePoint, {
    item_id,
    lon,
    lat,
  })
  assert.deepEqual(
    result.values.map(({ name, band_name }) => [name, band_name]),
    sceneBands.map(({ name }, at) => [`b${at + 1}`, name]),
  )
  assert.deepEqual(
    result.values.map(({ value }) => value),
    sceneBands.map((_, band) => sceneValue(band, column, row)),
  )
  const read = async (input: Input) =>
    (
      await invoke<{ values: { name: string; value: number | null }[] }>(itemsTilePoint, {
        item_id,
        lon,
        lat,
        ...input,
      })
    ).values
  assert.deepEqual(await read({ expression: 'nir - green' }), [
    { name: 'nir - green', band_name: null, value: 2000, unit: null },
  ])
  assert.deepEqual(
    (await read({ bands: 'nir,1' })).map(({ name }) => name),
    ['b4', 'b1'],
  )
  assert.equal((await read({ profile: 'ndvi' }))[0]!.name, '(b4 - b3) / (b4 + b3)')
  assert.deepEqual((await read({ expression: '1 / (b1 - b1)' }))[0]!.value, null)
  const missing = await invoke<{ values: { value: null }[] }>(itemsTilePoint, {
    item_id,
    lon: 10.414175947833428,
    lat: 50.54150141315359,
  })
  assert.deepEqual(new Set(missing.values.map(({ value }) => value)), new Set([null]))
  await assert.rejects(read({ lon: 0 }), hasProblem('validation', 'lon'))
  await assert.rejects(read({ lat: 91 }), hasProblem('validation', 'lat'))
})

test('a line returns the values of its points, and null outside the image', async () => {
  const [lon, lat] = [10.45318118842921, 50.52483230841748]
  const line = await invoke<{ positions: { distance_m: number }[]; values: { name: string; values: unknown[] }[] }>(
    itemsTileLine,
    { item_id, coordinates: [[lon, lat], [0, lat]], samples: 3, profile: 'ndvi' }, // prettier-ignore
  )
  const point = await invoke<{ values: { value: number }[] }>(itemsTilePoint, { item_id, lon, lat, profile: 'ndvi' })
  assert.deepEqual(line.values, [
    { name: '(b4 - b3) / (b4 + b3)', band_name: null, unit: null, values: [point.values[0]!.value, null, null] },
  ])
  assert.equal(line.positions[2]!.distance_m, line.positions[1]!.distance_m * 2)
  const read = (input: Input) => invoke(itemsTileLine, { item_id, ...input })
  await assert.rejects(read({ coordinates: [[0, 0], [0, 95]] }), hasProblem('validation', 'coordinates.1')) // prettier-ignore
  await assert.rejects(read({ coordinates: [[0, 0], [1, 1]], bands: '9' }), hasProblem('validation', 'bands')) // prettier-ignore
})

test('a histogram has the requested bands, bins and range', async () => {
  const count = async (input: Input) =>
    (
      await invoke<{ histograms: { name: string; counts: number[]; edges: number[] }[] }>(itemsTileHistogram, {
        item_id,
        ...input,
      })
    ).histograms
  const all = await count({})
  assert.deepEqual(
    all.map(({ name, counts, edges }) => [name, counts.length, edges.length]),
    [1, 2, 3, 4].map((band) => [`b${band}`, 256, 257]),
  )
  const [clipped] = await count({ bands: 'B02', bins: 4, range: [100, 300] })
  assert.deepEqual(clipped!.edges, [100, 150, 200, 250, 300])
  const sum = (counts: readonly number[]) => counts.reduce((total, one) => total + one, 0)
  assert.ok(sum(clipped!.counts) < sum(all[0]!.counts))
  await assert.rejects(count({ range: [5, 5] }), hasProblem('validation', 'range'))
})

test('a preview renders the whole item like its tiles, within the requested size', async () => {
  const renderPreview = (input: Input) => invoke<BytesResponse>(itemsTilePreview, { item_id, ...input })
  const defaultPreview = await renderPreview({ width: 100, height: 400 })
  const image = decodePng(defaultPreview.body)
  assert.deepEqual([image.width, image.height, image.channels], [100, 100, 4])
  assert.equal(image.pixelAt(1, 1)[3], 0, 'the corner without data is transparent')
  assert.deepEqual(defaultPreview.body, (await renderPreview({ width: 100, height: 400, profile: 'true-color' })).body)
  await invoke(visualizationProfileCreate, { item_id, name: 'gray', type: 'singleband', config: { bands: [4] } })
  const gray = await renderPreview({ width: 100, height: 100, profile: 'gray' })
  assert.deepEqual(gray.body, (await renderPreview({ width: 100, height: 100, bands: 'nir' })).body)
  assert.notEqual(gray.headers['etag'], defaultPreview.headers['etag'])
  assert.equal((await renderPreview({ format: 'jpeg' })).media_type, 'image/jpeg')
  const largest = decodePng((await renderPreview({ width: 4096, height: 4096 })).body)
  assert.equal(largest.width, 512, 'never larger than the raster')
})

const centerTile = findTileAt(-113.25, 46.06, 12)
const terrain = async (input: Input = {}) =>
  decodePng((await invoke<BytesResponse>(cogTileTerrain, { url: elevationUrl, ...input })).body)
type Pixels = Awaited<ReturnType<typeof terrain>>
const heightAt = (image: Pixels, x: number, y: number): number => {
  const [red, green, blue] = image.pixelAt(x, y)
  return decodeTerrainHeight('mapbox', red!, green!, blue!)
}

test('terrain is opaque and 0 metres without data, unless missing=transparent', async () => {
  const empty = await terrain({ z: 12, x: 0, y: 0 })
  assert.deepEqual([empty.channels, empty.pixelAt(0, 0)], [3, [1, 134, 160]])
  const clear = await terrain({ z: 12, x: 0, y: 0, missing: 'transparent' })
  assert.deepEqual([clear.channels, clear.pixelAt(0, 0)], [4, [0, 0, 0, 0]])
  assert.deepEqual((await terrain({ z: 12, x: 0, y: 0, encoding: 'terrarium' })).pixelAt(9, 9), [128, 0, 0])
  assert.equal((await terrain({ z: 12, x: 0, y: 0, scale: 2 })).width, 512)
})

test('terrain can be inverted, clipped to an area, and converted from feet', async () => {
  const tileAddress = { z: centerTile.z, x: centerTile.x, y: centerTile.y }
  const plain = await terrain(tileAddress)
  const inverted = await terrain({ ...tileAddress, invert: true })
  const [x, y] = findPixelWithHeight(plain)
  assert.ok(heightAt(plain, x, y) > 1000)
  assert.ok(Math.abs(heightAt(plain, x, y) + heightAt(inverted, x, y)) < 0.11)
  const clipped = await terrain({ ...tileAddress, aoi: JSON.stringify(square(0, 0, 1)) })
  assert.equal(heightAt(clipped, x, y), 0)
  const mapbox = { encoding: 'mapbox', invert: false, missing: 'zero' } as const
  assert.equal(toTerrainEncoding({ scale: 1, offset: 0, unit: 'ft' }, mapbox).z_factor, 0.3048)
  assert.equal(toTerrainEncoding({ scale: 2, offset: 1, unit: null }, mapbox).z_factor, 1)
  await assert.rejects(terrain({ z: 1, x: 2, y: 0 }), hasProblem('validation', 'x'))
})

/** A pixel with a height. */
function findPixelWithHeight(image: Pixels): [number, number] {
  for (let at = 0; at < 256; at++) if (heightAt(image, at, at) > 0) return [at, at]
  for (let at = 0; at < 256; at++) if (heightAt(image, at, 255 - at) > 0) return [at, 255 - at]
  throw new Error('the tile is outside the raster')
}

test('colormaps are listed and rendered as legends', async () => {
  const { colormaps } = await invoke<{ colormaps: { name: string; kind: string; colors: string[] }[] }>(
    cogColormaps,
    {},
  )
  const viridis = colormaps.find(({ name }) => name === 'viridis')!
  assert.deepEqual([viridis.kind, viridis.colors[0], viridis.colors.at(-1)], ['sequential', '#440154', '#fde724'])
  assert.equal(colormaps.find(({ name }) => name === 'RdBu')!.kind, 'diverging')
  const renderPreview = async (input: Input) =>
    decodePng((await invoke<BytesResponse>(cogColormaps, { format: 'png', ...input })).body)
  const bar = await renderPreview({ name: 'viridis' })
  assert.deepEqual([bar.width, bar.height], [256, 16])
  assert.deepEqual(
    [bar.pixelAt(0, 3).slice(0, 3), bar.pixelAt(255, 15).slice(0, 3)],
    [
      [0x44, 1, 0x54],
      [0xfd, 0xe7, 0x24],
    ],
  )
  const vertical = await renderPreview({ name: 'viridis_r', width: 8, height: 64 })
  assert.ok(vertical.pixelAt(0, 63)[0]! > vertical.pixelAt(0, 0)[0]!, 'reversed: yellow below')
  const classes = await renderPreview({ name: '{"2": "#00ff00", "1": "#ff0000"}', width: 10, height: 1 })
  assert.deepEqual(
    [classes.pixelAt(0, 0), classes.pixelAt(9, 0)],
    [
      [255, 0, 0, 255],
      [0, 255, 0, 255],
    ],
  )
  await assert.rejects(renderPreview({}), hasProblem('validation', 'name'))
  await assert.rejects(renderPreview({ name: 'dreams' }), hasProblem('validation', 'name'))
  await assert.rejects(renderPreview({ name: 'viridis', width: 5000 }), hasProblem('validation', 'width'))
})

test('cog.formulas returns the formula templates', async () => {
  const { formulas } = await invoke<{ formulas: unknown[] }>(cogFormulas, {})
  assert.deepEqual(formulas, formulaTemplates)
})
