import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { AnalyticsRaster } from '@swath/contract/schemas/analytics.ts'
import { applyAffine } from '@swath/geo/affine.ts'
import { openFileSource, openRaster, readWindow, crsToLonLat, type CogInput } from '@swath/raster'
import type { Call } from '../../engine/call.ts'
import type { OperationHandler } from '../../engine/handler.ts'
import { readCallInput, requireValidOutput } from '../../engine/input/read-input.ts'
import { Problem } from '../../engine/problem.ts'
import { sql } from '../../platform/database/sql.ts'
import { newId } from '../../platform/ids.ts'
import { baseUrl, deliverItem, openTestServices } from '../../../test/test-services.ts'
import { decodePng, sceneBands, sceneInput, sceneValue, storeRasterAsset } from '../../../test/rasters.ts'
import { handler as analyticsBandMath } from './operations/analytics.band_math.ts'
import { handler as analyticsCalculateIndex } from './operations/analytics.calculate_index.ts'
import { handler as analyticsExecute } from './operations/analytics.execute.ts'
import { dueAnalyticsResultsWork } from './sweep-results.task.ts'

let app: Awaited<ReturnType<typeof openTestServices>>
let fixture: Awaited<ReturnType<typeof app.createOrganization>>
/** The scene, and later the same with more near infrared from column 300 on. */
let before_item: string
let after_item: string
let collection_id: string
let cog_url: string

const [red, nir] = [2, 3]
const side = sceneInput.width
const laterValue = (band: number, column: number, row: number): number => {
  const value = sceneValue(band, column, row)
  return band === nir && column >= 300 && value > 0 ? value + 800 : value
}
const laterInput: CogInput = {
  ...sceneInput,
  readRows: async (top, rows) => {
    const block = await sceneInput.readRows(top, rows)
    const data = block.data.slice()
    for (let at = nir; at < data.length; at += 4) if (((at - nir) / 4) % side >= 300 && data[at]! > 0) data[at]! += 800
    return { ...block, data }
  },
}

before(async () => {
  app = await openTestServices()
  fixture = await app.createOrganization()
  const asset = await storeRasterAsset(app.blobs, sceneInput, sceneBands)
  const delivered = await deliverItem(fixture.owner, fixture.project, { assets: [asset] })
  before_item = delivered.item_id
  collection_id = delivered.collection_id
  cog_url = `${baseUrl}/api/v1/items/${before_item}/assets/${asset.id}`
  const later = { assets: [await storeRasterAsset(app.blobs, laterInput, sceneBands)], collection_id }
  const datetime = new Date('2024-07-01T10:00:00Z')
  after_item = (await deliverItem(fixture.owner, fixture.project, { ...later, datetime })).item_id
})
after(() => app.close())

const { affine, crs } = sceneInput.georeferencing
const toDegrees = (column: number, row: number): number[] => [
  ...crsToLonLat(crs!, ...applyAffine(affine!, column, row)),
]

/** A rectangle of the scene's grid, in degrees. */
const rectangle = (x0: number, y0: number, x1: number, y1: number) => ({
  type: 'Polygon',
  coordinates: [[toDegrees(x0, y0), toDegrees(x0, y1), toDegrees(x1, y1), toDegrees(x1, y0), toDegrees(x0, y0)]],
})

async function invoke<T>(handler: OperationHandler, input: object, call: Call = fixture.owner): Promise<T> {
  const { operation } = handler
  const response = await handler.handle(
    { ...call, operation: operation.id },
    readCallInput(operation, structuredClone(input)) as never,
  )
  requireValidOutput(operation, response)
  return response as T
}

const execute = async <T>(operation: string, params: object, call?: Call): Promise<T> =>
  (await invoke<{ result: T }>(analyticsExecute, { operation, params }, call)).result

const assertClose = (actual: number | null, expected: number, label: string): void =>
  assert.ok(Math.abs(actual! - expected) <= 1e-6 * Math.max(1, Math.abs(expected)), `${label}: ${actual}, ${expected}`)

const hasProblem = (problem: string, path?: string) => (error: unknown) => {
  assert.ok(error instanceof Problem, String(error))
  assert.equal(error.problem, problem, error.message)
  const errors = (error.extra['errors'] ?? []) as { path: string }[]
  if (path !== undefined) assert.deepEqual([...new Set(errors.map((one) => one.path))], [path])
  return true
}

interface Values {
  readonly name: string
  readonly count: number
  readonly valid_percent: number
  readonly sum: number
  readonly mean: number
  readonly min: number
  readonly max: number
  readonly std: number
  readonly median: number
  readonly percentiles: Record<string, number>
  readonly histogram: { counts: number[]; edges: number[] } | null
  readonly categories: { value: number; count: number }[] | null
}
type Zones = { zones: { id: string | null; values: Values[]; approximate: boolean }[] }

const ndvi = (value: typeof sceneValue, column: number, row: number): number => {
  const [r, n] = [value(red, column, row), value(nir, column, row)]
  return Math.fround((n - r) / (n + r))
}

/** The pixels of a rectangle of whole numbers that have data. */
function* pixelsOf(x0: number, y0: number, x1: number, y1: number): Generator<[column: number, row: number]> {
  for (let row = y0; row < y1; row++)
    for (let column = x0; column < x1; column++) if (column + row >= 100) yield [column, row]
}

test('weighted zonal statistics count the covered part of each pixel', async () => {
  // Columns 200 to 203 with 0.6, 1, 1 and 1 of their width, rows 300 to 302 with 0.75, 1 and 0.25 of their height.
  const geometry = rectangle(200.4, 300.25, 204, 302.25)
  const request = { item_id: before_item, geometry, bands: '3', percentiles: [25], categories: true, bins: 2 }
  const { zones } = await execute<Zones>('zonal_stats', request)
  const [values] = zones[0]!.values as [Values]
  assertClose(values.count, 7.2, 'count')
  assertClose(values.mean, 2100 + 726 / 3.6, 'mean')
  assertClose(values.sum, 7.2 * (2100 + 726 / 3.6), 'sum')
  assertClose(values.std, Math.sqrt((0.6 * 40_000 + 40_401 + 40_804 + 41_209) / 3.6 - (726 / 3.6) ** 2), 'std')
  assert.deepEqual([values.min, values.max, values.median, values.percentiles], [2300, 2303, 2302, { 25: 2301 }])
  assert.deepEqual(
    values.categories!.map(({ value, count }) => [value, Math.round(count * 1e6) / 1e6]),
    [
      [2300, 1.2],
      [2301, 2],
      [2302, 2],
      [2303, 2],
    ],
  )
  assert.deepEqual(values.histogram!.edges, [2300, 2301.5, 2303])
  assertClose(values.histogram!.counts[0]!, 3.2, 'histogram')
})

test('unweighted zonal statistics count pixels by their centres, without those that have no data', async () => {
  const zones = [
    { id: 'field', geometry: rectangle(200.4, 300.25, 204, 302.25) },
    { id: 'edge', geometry: rectangle(40, 40, 60, 60) },
    { id: 'away', geometry: rectangle(900, 900, 910, 910) },
  ]
  const { zones: rows } = await execute<Zones>('zonal_stats', {
    item_id: before_item,
    zones,
    bands: '3',
    weighted: false,
  })
  const [field, edge, away] = rows.map(({ values }) => values[0]!) as [Values, Values, Values]
  assert.deepEqual([field.count, field.sum, field.median], [8, 18_412, 2301.5])
  const valid = [...pixelsOf(40, 40, 60, 60)]
  assert.equal(edge.count, valid.length)
  assert.equal(
    edge.sum,
    valid.reduce((sum, [column]) => sum + 2100 + column, 0),
  )
  assertClose(edge.valid_percent, (100 * valid.length) / 400, 'valid_percent')
  assert.deepEqual([away.count, away.mean, rows[2]!.id], [0, null, 'away'])
})

test('histograms of more than a million bins together are refused before anything is measured', async () => {
  const geometry = rectangle(200, 300, 204, 302)
  const zones = Array.from({ length: 245 }, (_, at) => ({ id: String(at), geometry }))
  const request = { item_id: before_item, bands: '1,2,3,4', bins: 1024 }
  await assert.rejects(execute('zonal_stats', { ...request, zones }), hasProblem('validation', 'params.bins'))
  const wide = { ...request, zones: zones.slice(0, 1), range: [-1e308, 1e308] }
  await assert.rejects(execute('zonal_stats', wide), hasProblem('validation', 'params.range'))
  const one = await execute<Zones>('zonal_stats', { ...request, zones: zones.slice(0, 1) })
  assert.equal(one.zones[0]!.values[3]!.histogram!.counts.length, 1024)
})

test('a spectral index is measured by the common names of the bands, or by a mapping of them', async () => {
  const geometry = rectangle(100, 200, 140, 230)
  const expected = [...pixelsOf(100, 200, 140, 230)].map(([column, row]) => ndvi(sceneValue, column, row))
  const mean = expected.reduce((sum, value) => sum + value, 0) / expected.length
  const request = { item_id: before_item, geometry, weighted: false }
  const { zones } = await execute<Zones>('zonal_stats', { ...request, index_name: 'NDVI' })
  assert.equal(zones[0]!.values[0]!.count, expected.length)
  assertClose(zones[0]!.values[0]!.mean, mean, 'mean')
  const mapped = { ...request, index_name: 'ndvi', band_mapping: { nir: 3, red: 'B08' } }
  assertClose((await execute<Zones>('zonal_stats', mapped)).zones[0]!.values[0]!.mean, -mean, 'mapped')
  for (const [params, path] of [
    [{ index_name: 'nbr' }, 'params.index_name'],
    [{ index_name: 'no such index' }, 'params.index_name'],
    [{ index_name: 'ndvi', band_mapping: { red: 9 } }, 'params.band_mapping.red'],
    [{ expression: 'nir -' }, 'params.expression'],
    [{ expression: 'b1', bands: '1' }, 'params.bands'],
    [{ bands: '7' }, 'params.bands'],
  ] as const) {
    await assert.rejects(execute('zonal_stats', { ...request, ...params }), hasProblem('validation', path))
  }
})

test('parameters that do not match the schema of the method return it', async () => {
  const rejected = execute('zonal_stats', {
    item_id: before_item,
    geometry: { type: 'Point', coordinates: [1, 2] },
    more: 1,
  })
  await assert.rejects(rejected, (error) => {
    assert.ok(error instanceof Problem && error.status === 422)
    const { expected_schema, errors } = error.extra as {
      expected_schema: { properties: object }
      errors: { path: string }[]
    }
    assert.ok('weighted' in expected_schema.properties)
    assert.ok(errors.some(({ path }) => path === 'params.more'))
    return true
  })
  await assert.rejects(execute('no_such_method', {}), hasProblem('validation', 'operation'))
  const outside = { item_id: before_item, geometry: rectangle(900, 900, 910, 910) }
  await assert.rejects(execute('zonal_stats', outside), hasProblem('validation', 'params.geometry'))
})

test('items of other organizations and projects cannot be analyzed', async () => {
  const geometry = rectangle(100, 200, 140, 230)
  const other = await app.createOrganization()
  const member = await fixture.createMemberCall('member')
  const change = {
    before_item_id: before_item,
    after_item_id: after_item,
    index_name: 'ndvi',
    change_threshold: 0.1,
    geometry,
  }
  const calls: readonly [method: string, params: object][] = [
    ['zonal_stats', { item_id: before_item, geometry }],
    ['histogram', { item_id: before_item }],
    ['line_profile', { item_id: before_item, coordinates: [toDegrees(200, 200), toDegrees(300, 200)] }],
    ['time_series', { item_ids: [before_item], geometry }],
    ['time_series', { item_id: before_item, geometry }],
    ['time_series', { collection_id, geometry }],
    ['point_series', { collection_id, points: [{ lon: 10, lat: 50 }] }],
    ['change_detection', change],
  ]
  for (const [method, params] of calls) {
    await assert.rejects(execute(method, params, other.owner), hasProblem('not-found'), method)
    await assert.rejects(execute(method, params, member), hasProblem('not-a-member'), method)
  }
  const own = (await deliverItem(other.owner, other.project)).item_id
  await assert.rejects(
    execute('change_detection', { ...change, before_item_id: own }, other.owner),
    hasProblem('not-found'),
  )
})

interface ChangeResult {
  readonly statistics: Record<string, number>
  readonly band_mapping: { before: object; after: object }
  readonly change_raster: AnalyticsRaster
  readonly change_image: AnalyticsRaster
}

const detectChange = (more: object = {}) =>
  execute<ChangeResult>('change_detection', {
    before_item_id: before_item,
    after_item_id: after_item,
    index_name: 'ndvi',
    change_threshold: 0.1,
    geometry: rectangle(250.25, 300.25, 349.75, 400.75),
    ...more,
  })

const resultPath = ({ id }: AnalyticsRaster, extension: string): string =>
  app.blobs.localPath(`analytics/${id}/result.${extension}`)!

test('change detection counts changed pixels and writes the change as a raster', async () => {
  const { statistics, band_mapping, change_raster, change_image } = await detectChange()
  const pixels = [...pixelsOf(250, 300, 350, 401)]
  const changes = pixels.map(([column, row]) =>
    Math.fround(ndvi(laterValue, column, row) - ndvi(sceneValue, column, row)),
  )
  const increased = changes.filter((value) => value >= 0.1).length
  assert.ok(increased > 100 && increased < changes.length / 2)
  assert.deepEqual(
    [statistics['pixel_count'], statistics['compared_count'], statistics['increased_count']],
    [pixels.length, pixels.length, increased],
  )
  assert.deepEqual([statistics['decreased_count'], statistics['unchanged_count']], [0, pixels.length - increased])
  assertClose(statistics['mean_change']!, changes.reduce((sum, value) => sum + value, 0) / changes.length, 'mean')
  assertClose(statistics['max_change']!, Math.max(...changes), 'max')
  assert.ok(Math.abs(statistics['pixel_area_m2']! - 100) < 1, 'a pixel is 10 m wide on a grid that is true to scale')
  assert.deepEqual(band_mapping, { before: { nir: 4, red: 3 }, after: { nir: 4, red: 3 } })
  const raster = await openRaster(await openFileSource(resultPath(change_raster, 'tif')))
  assert.deepEqual([raster.width, raster.height, raster.sampleType], [100, 101, 'float32'])
  assert.deepEqual(applyAffine(raster.affine, 0, 0), [602_500, 5_597_000])
  const { data } = await readWindow(raster, { level: 0, window: [60, 10, 61, 11], bands: [0] })
  assert.equal(data[0], Math.fround(ndvi(laterValue, 310, 310) - ndvi(sceneValue, 310, 310)))
  await raster.source.close()
  const { width, pixelAt } = decodePng(await app.blobs.read(`analytics/${change_image.id}/result.png`, 0, 1e7))
  assert.equal(width, 100)
  const [r, , b] = pixelAt(60, 10) as [number, number, number]
  assert.ok(b > r, 'more is blue')
})

test('the items of a change are in the event and the lineage of its raster, whose file expires', async () => {
  const { change_raster } = await detectChange()
  const { db } = fixture.owner
  const [event] = await db.query<{ data: object }>(sql`
    select data from events where organization_id = ${fixture.organization} and entity_id = ${change_raster.id}`)
  assert.deepEqual(event!.data, { method: 'change_detection', item_ids: [before_item, after_item] })
  const edges = await db.query<{ dst_id: string }>(sql`
    select dst_id from provenance_edges where organization_id = ${fixture.organization} and src_id = ${change_raster.id}`)
  assert.deepEqual(edges.map(({ dst_id }) => dst_id).sort(), [before_item, after_item].sort())
  assert.ok(await app.blobs.head(`analytics/${change_raster.id}/result.tif`))
  const context = { database: app.database, blobs: app.blobs, clock: app.clock, signal: new AbortController().signal }
  const sweep = () => dueAnalyticsResultsWork.runDue(context as never, app.clock.times())
  app.clock.advance(86_399_000)
  await sweep()
  assert.ok(await app.blobs.head(`analytics/${change_raster.id}/result.tif`))
  app.clock.advance(1000)
  await sweep()
  assert.equal(await app.blobs.head(`analytics/${change_raster.id}/result.tif`), null)
  const rows = await db.query(sql`select id from analytics_results where organization_id = ${fixture.organization}`)
  assert.deepEqual(rows, [])
})

test('a result of an organization that has used up its storage is refused and not stored', async () => {
  const { organization } = fixture
  const setStorage = (plan: string, bytes: number) =>
    app.database.unscoped.transaction(async (tx) => {
      await tx.query(sql`update organizations set plan = ${plan} where organization_id = ${organization}`)
      await tx.query(sql`
        update storage_totals set file_bytes = file_bytes + ${bytes} where organization_id = ${organization}`)
    })
  const listResults = () =>
    fixture.owner.db.query(sql`select id from analytics_results where organization_id = ${organization} order by id`)
  const earlier = await listResults()
  await setStorage('free', 5e9)
  try {
    await assert.rejects(detectChange(), hasProblem('quota-storage'))
    assert.deepEqual(await listResults(), earlier)
  } finally {
    await setStorage('prepaid', -5e9)
  }
  await detectChange()
  assert.equal((await listResults()).length, earlier.length + 2)
})

test('change detection of a band that an item lacks, or outside of it, names the parameter', async () => {
  await assert.rejects(detectChange({ index_name: 'nbr' }), hasProblem('validation', 'params.index_name'))
  await assert.rejects(
    detectChange({ geometry: rectangle(900, 900, 990, 990) }),
    hasProblem('validation', 'params.geometry'),
  )
  await assert.rejects(detectChange({ after_item_id: newId() }), hasProblem('not-found'))
})

test('a time series runs over the items of a collection from the oldest to the newest', async () => {
  const geometry = rectangle(320, 200, 340, 220)
  type Series = { series: { item_id: string; datetime: string; values: Values[] }[]; skipped: { item_id: string }[] }
  const request = { geometry, bands: 'nir' }
  const rows = 2100 + 1000 + 209.5
  for (const items of [{ collection_id }, { item_id: after_item }, { item_ids: [after_item, before_item] }]) {
    const { series } = await execute<Series>('time_series', { ...request, ...items })
    assert.deepEqual(
      series.map(({ item_id, datetime }) => [item_id, datetime]),
      [
        [before_item, '2024-06-01T10:00:00.000Z'],
        [after_item, '2024-07-01T10:00:00.000Z'],
      ],
    )
    assertClose(series[0]!.values[0]!.mean, rows, 'before')
    assertClose(series[1]!.values[0]!.mean, rows + 800, 'after')
  }
  const july = await execute<Series>('time_series', { ...request, collection_id, datetime: '2024-06-15T00:00:00Z/..' })
  assert.deepEqual(
    july.series.map(({ item_id }) => item_id),
    [after_item],
  )
  const empty = (await deliverItem(fixture.owner, fixture.project)).item_id
  const { skipped } = await execute<Series>('time_series', { ...request, item_ids: [empty, before_item] })
  assert.deepEqual(
    skipped.map(({ item_id }) => item_id),
    [empty],
  )
  await assert.rejects(execute('time_series', request), hasProblem('validation', 'params.item_ids'))
})

test('point series and line profiles read the pixels at places', async () => {
  const point = (column: number, row: number) => {
    const [lon, lat] = toDegrees(column + 0.5, row + 0.5)
    return { lon, lat }
  }
  type PointSeries = { series: { values: { values: (number | null)[] }[] }[] }
  const points = [point(310, 150), point(10, 10), point(900, 900)]
  const { series } = await execute<PointSeries>('point_series', { collection_id, points, bands: 'nir' })
  assert.deepEqual(
    series.map(({ values }) => values[0]!.values),
    [
      [3250, null, null],
      [4050, null, null],
    ],
  )
  type Profile = { length_m: number; positions: { distance_m: number }[]; values: { values: number[] }[] }
  const coordinates = [toDegrees(200.5, 300.5), toDegrees(210.5, 300.5)]
  const profile = await execute<Profile>('line_profile', {
    item_id: before_item,
    coordinates,
    samples: 11,
    bands: 'red',
  })
  assert.ok(Math.abs(profile.length_m - 100) < 0.2)
  assert.deepEqual(
    profile.values[0]!.values,
    Array.from({ length: 11 }, (_, at) => 2300 + at),
  )
})

test('a histogram counts the pixels of an area, or of the whole item', async () => {
  type Histograms = { histograms: { count: number; counts: number[]; edges: number[] }[] }
  const geometry = rectangle(200, 300, 300, 350)
  const request = { item_id: before_item, bands: 'red', bins: 10, range: [2300, 2400] }
  const { histograms } = await execute<Histograms>('histogram', { ...request, geometry })
  assert.deepEqual(
    histograms[0]!.counts,
    Array.from({ length: 10 }, () => 500),
  )
  const whole = await execute<Histograms>('histogram', { item_id: before_item, bands: 'red', bins: 4 })
  assert.equal(whole.histograms[0]!.count, [...pixelsOf(0, 0, side, side)].length)
  assert.equal(
    whole.histograms[0]!.counts.reduce((sum, count) => sum + count, 0),
    whole.histograms[0]!.count,
  )
})

interface WindowResult {
  readonly statistics: { count: number; mean: number; min: number; max: number }
  readonly width: number
  readonly height: number
  readonly bounds: number[]
  readonly image: { base64: string } | null
  readonly raster: AnalyticsRaster | null
}

/** A box in degrees around all of the scene. */
const wholeBox = () => {
  const corners = [toDegrees(0, 0), toDegrees(side, 0), toDegrees(0, side), toDegrees(side, side)]
  const [lons, lats] = [0, 1].map((at) => corners.map((corner) => corner[at]!)) as [number[], number[]]
  return { west: Math.min(...lons), south: Math.min(...lats), east: Math.max(...lons), north: Math.max(...lats) }
}

test('band math and indices are computed over a window of a file by the bands of its sensor', async () => {
  const request = { cog_url, bbox: wholeBox(), sensor: 'Sentinel-2' }
  const values = [...pixelsOf(0, 0, side, side)].map(([column, row]) => ndvi(sceneValue, column, row))
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const index = await invoke<WindowResult>(analyticsCalculateIndex, { ...request, index_name: 'ndvi' })
  assert.deepEqual([index.width, index.height, index.image, index.raster], [side, side, null, null])
  assert.equal(index.statistics.count, values.length)
  assertClose(index.statistics.mean, mean, 'index')
  const formula = '(B08 - B04) / (B08 + B04)'
  const math = await invoke<WindowResult>(analyticsBandMath, {
    ...request,
    formula,
    output_format: 'png',
    max_size: 128,
  })
  assertClose(math.statistics.mean, mean, 'formula')
  const png = decodePng(Buffer.from(math.image!.base64, 'base64'))
  assert.deepEqual([png.width, png.height, math.width], [128, 128, 128])
  assert.equal(png.pixelAt(2, 2).at(-1), 0, 'nodata is transparent')
  const [event] = await fixture.owner.db.query<{ data: object }>(sql`
    select data from events where organization_id = ${fixture.organization} and kind = 'analytics.executed'
    order by created_at desc, id desc limit 1`)
  assert.deepEqual(event!.data, { method: 'band_math', item_ids: [before_item] })
})

test('a window is written as a raster with the values of every pixel', async () => {
  const { raster, width } = await invoke<WindowResult>(analyticsBandMath, {
    cog_url,
    bbox: wholeBox(),
    sensor: 'sentinel-2a',
    formula: 'nir - red',
    output_format: 'cog',
  })
  assert.equal(width, side)
  const file = await openRaster(await openFileSource(resultPath(raster!, 'tif')))
  const { data, mask } = await readWindow(file, { level: 0, window: [0, 0, side, side], bands: [0] })
  for (let pixel = 0; pixel < side * side; pixel++) {
    const [column, row] = [pixel % side, Math.floor(pixel / side)]
    if (column + row < 100) assert.equal(mask[pixel], 0)
    else assert.equal(data[pixel], 1000 + row - column)
  }
  assert.deepEqual(applyAffine(file.affine, 0, 0), [600_000, 5_600_000])
  await file.source.close()
})

test('a window that does not fit names the field', async () => {
  const request = { cog_url, bbox: wholeBox(), sensor: 'sentinel-2a', formula: 'nir' }
  const rows: readonly [more: object, path: string][] = [
    [{ bbox: { west: 1, south: 1, east: 2, north: 2 } }, 'bbox'],
    [{ bbox: { west: 11, south: 50, east: 10, north: 51 } }, 'bbox'],
    [{ sensor: 'no such sensor' }, 'sensor'],
    [{ formula: 'nir +' }, 'formula'],
    [{ formula: 'pan' }, 'formula'],
    [{ formula: 'swir16' }, 'cog_url'],
    [{ colormap: 'no such colormap' }, 'colormap'],
    [{ output_format: 'png', vmin: 2, vmax: 1 }, 'vmax'],
    [{ cog_url: 'file:///etc/passwd' }, 'cog_url'],
  ]
  for (const [more, path] of rows)
    await assert.rejects(invoke(analyticsBandMath, { ...request, ...more }), hasProblem('validation', path), path)
  const other = await app.createOrganization()
  await assert.rejects(invoke(analyticsBandMath, request, other.owner), hasProblem('not-found'))
})
