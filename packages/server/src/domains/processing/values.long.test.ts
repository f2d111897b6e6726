import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Job } from '@swath/contract/schemas/job.ts'
import { createCrsFromEpsg, crsToLonLat, openRasterFile, readWindow, type CogInput } from '@swath/raster'
import { storeRasterAsset } from '../../../test/rasters.ts'
import { createQueuedOrganization } from '../../../test/task-runner.ts'
import { baseUrl, deliverItem, openTestServices, type TestServices } from '../../../test/test-services.ts'
import { Problem } from '../../engine/problem.ts'
import { newId } from '../../platform/ids.ts'
import { grantCredits } from '../ledger/ledger.ts'
import { findAssetsOfItem } from '../items/assets/store.assets.ts'

let services: TestServices
let org: Awaited<ReturnType<typeof createQueuedOrganization>>
before(async () => {
  services = await openTestServices()
  org = await createQueuedOrganization(services)
  const reference = { type: 'purchase', id: newId() }
  await org.owner.transaction((tx) =>
    grantCredits(tx, org.owner, { kind: 'purchase', amount_credits: 10_000, reference }),
  )
})
after(() => services?.close())

interface Image {
  readonly type: CogInput['sampleType']
  readonly width: number
  readonly height: number
  readonly bands: readonly string[]
  readonly offset?: number
  readonly scale?: number
  readonly nodata?: number | null
  readonly epsg?: number
  readonly affine: NonNullable<CogInput['georeferencing']['affine']>
  readonly value: (pixel: number, band: number) => number
}

const allocate = {
  uint8: Uint8Array,
  uint16: Uint16Array,
  uint32: Uint32Array,
  int32: Int32Array,
  float64: Float64Array,
}

async function deliver(image: Image, datetime = '2024-01-01T00:00:00Z'): Promise<{ item: string; url: string }> {
  const { width, height, bands, type, scale = 1, offset = 0, nodata = null, epsg = 32_631 } = image
  const input: CogInput = {
    width,
    height,
    sampleType: type,
    bands: bands.map((name) => ({ name, colour: 'undefined', scale, offset })),
    nodata,
    masked: false,
    georeferencing: { affine: image.affine, crs: await createCrsFromEpsg(epsg), geoTags: null },
    readRows: async (top, rows) => {
      const data = new allocate[type as keyof typeof allocate](width * rows * bands.length)
      for (let at = 0; at < data.length; at++)
        data[at] = image.value(top * width + Math.floor(at / bands.length), at % bands.length)
      return { width, rows, bands: bands.length, data, mask: null }
    },
  }
  const asset = await storeRasterAsset(
    services.blobs,
    input,
    bands.map((name) => ({ name, common_name: name === 'red' || name === 'nir' ? name : null })),
  )
  const { item_id } = await deliverItem(org.owner, org.project, {
    assets: [asset],
    datetime: new Date(datetime),
  })
  return { item: item_id, url: `${baseUrl}/api/v1/items/${item_id}/assets/${asset.id}` }
}

const execute = (process_id: string, inputs: object) =>
  org.invoke<{ job: Job }>('processing.execute', { process_id, workspaceId: org.project, inputs })

/** The values of the file that a process writes, by band. */
async function compute(process_id: string, inputs: object): Promise<{ type: string; values: (number | null)[][] }> {
  const { job } = await execute(process_id, inputs)
  await org.runner.runPending()
  const { job: ended } = await org.invoke<{ job: Job }>('processing.job.get', { job_id: job.id })
  assert.equal(ended.status, 'completed', JSON.stringify(ended.failure))
  const assets = await findAssetsOfItem(org.owner.db, org.organization, ended.item_ids[0]!)
  const asset = assets.find(({ key }) => key === 'data')!
  const raster = await openRasterFile(services.blobs.localPath(asset.blob_path!)!)
  const { width, height, nodata } = raster
  const { data, mask } = await readWindow(raster, { window: [0, 0, width, height] })
  await raster.source.close()
  const values = raster.bands.map(({ scale, offset }, band) =>
    Array.from(data.subarray(band * width * height, (band + 1) * width * height), (sample, at) =>
      mask[at] === 0 || sample === nodata || Number.isNaN(sample) ? null : sample * scale + offset,
    ),
  )
  return { type: raster.sampleType, values }
}

/** A place of EPSG:32631 in degrees. */
async function placeOf(x: number, y: number): Promise<{ lon: number; lat: number }> {
  const [lon, lat] = crsToLonLat(await createCrsFromEpsg(32_631), x, y)
  return { lon, lat }
}

const utm = (left: number): Image['affine'] => [500_000 + left, 10, 0, 6_000_000, 0, -10]
/** Case 02: one reflectance before and after baseline 04.00 of Sentinel-2. */
const sentinel = (dn: number, offset: number, left = 0): Image => ({
  type: 'uint16',
  width: 32,
  height: 32,
  bands: ['red', 'nir'],
  scale: 1e-4,
  offset,
  nodata: 0,
  affine: utm(left),
  value: (_, band) => dn + 3000 * band,
})

const isAll = (values: readonly (number | null)[], wanted: number): boolean =>
  values.every((value) => value !== null && Math.abs(value - wanted) < 1e-9)

test('mosaic, composite and series of Sentinel-2 before and after baseline 04.00 have one reflectance', async () => {
  const { item: old } = await deliver(sentinel(1000, 0), '2021-01-01T00:00:00Z')
  const { item: recent } = await deliver(sentinel(2000, -0.1), '2023-01-01T00:00:00Z')
  const { item: beside } = await deliver(sentinel(1000, 0, 320), '2021-01-05T00:00:00Z')
  const results = [
    ['mosaic', { items: [recent, beside], method: 'first' }],
    ['mosaic', { items: [beside, recent], method: 'least_cloud' }],
    ...['first', 'last', 'median', 'mean', 'lowest', 'highest'].map(
      (method) => ['mosaic', { items: [old, recent], method }] as const,
    ),
    ...['median', 'mean', 'lowest', 'highest'].map(
      (method) => ['composite', { items: [old, recent], period: 'all', method }] as const,
    ),
  ] as const
  for (const [process, inputs] of results) {
    const { values } = await compute(process, inputs)
    assert.ok(isAll(values[0]!, 0.1), `${process} ${JSON.stringify(inputs)}: red ${values[0]!.slice(0, 3)}`)
    assert.ok(isAll(values[1]!, 0.4), `${process} ${JSON.stringify(inputs)}: nir ${values[1]!.slice(0, 3)}`)
  }
  const series = await org.invoke<{ result: { series: { values: { values: number[] }[] }[] } }>('analytics.execute', {
    operation: 'point_series',
    params: { item_ids: [old, recent], points: [await placeOf(500_155, 5_999_845)], bands: 'red' },
  })
  const read = series.result.series.map(({ values }) => values[0]!.values[0]!)
  assert.ok(isAll(read, 0.1) && read.length === 2, JSON.stringify(series))
})

/** Refused because of `items`, with a sentence. */
const assertRefused = (call: Promise<unknown>, sentence: RegExp): Promise<void> =>
  assert.rejects(call, (error: unknown) => {
    assert.ok(error instanceof Problem && error.problem === 'validation', String(error))
    const [{ path, message }] = error.extra['errors'] as [{ path: string; message: string }]
    assert.match(path, /items$/)
    assert.match(message, sentence)
    return true
  })

test('a mosaic of places that lie far apart is refused with its sizes', async () => {
  const { item: here } = await deliver(sentinel(1000, 0))
  const { item: far } = await deliver(sentinel(1000, 0, 6_000_000))
  const { item: swir } = await deliver({ ...sentinel(1000, 0), bands: ['red', 'swir'] })
  await assertRefused(execute('mosaic', { items: [here, far] }), /600,032 × .* pixels.*allow gaps/)
  await assertRefused(execute('composite', { items: [here, far], period: 'all' }), /allow gaps/)
  await assertRefused(execute('mosaic', { items: [here, swir] }), /red, swir/)
})

/** Case 07, with the numbers that numpy prints. */
const wide = [
  [
    'float64',
    (at: number) => at * 0.001 + 1_705_276_961.123,
    [1705276961.123, 1705276961.378, 1705276961.2505, 0.07390027],
  ],
  ['uint32', (at: number) => at + 4_000_000_001, [4000000001, 4000000256, 4000000128.5, 73.900270635]],
  ['int32', (at: number) => at + 1_705_276_961, [1705276961, 1705277216, 1705277088.5, 73.900270635]],
  ['float64', (at: number) => at * 1e-9 + 51.123456789, [51.123456789, 51.123457044, 51.1234569165, 0.0000000739]],
] as const

interface Measured {
  readonly min: number
  readonly max: number
  readonly mean: number
  readonly std: number
}

test('statistics, points and band math of wide numbers have all their digits, with and without an expression', async () => {
  for (const [type, value, [min, max, mean, std]] of wide) {
    const { item, url } = await deliver({ type, width: 16, height: 16, bands: ['b1'], affine: utm(0), value })
    const assertMeasured = (found: Measured, label: string): void => {
      const spread = max - min
      assert.ok(Math.abs(found.min - min) <= spread * 1e-5 && Math.abs(found.max - max) <= spread * 1e-5, label)
      assert.ok(Math.abs(found.mean - mean) <= spread * 1e-4, `${label}: ${found.mean}`)
      assert.ok(Math.abs(found.std - std) <= std * 1e-3, `${label}: ${found.std}`)
    }
    const geometry = {
      type: 'Polygon',
      coordinates: [
        [
          [2.99, 54.13],
          [3.01, 54.13],
          [3.01, 54.16],
          [2.99, 54.16],
          [2.99, 54.13],
        ],
      ],
    }
    for (const asked of [{}, { expression: 'b1' }] as { expression?: string }[]) {
      const label = `${type} ${JSON.stringify(asked)}`
      if (asked.expression) {
        const input = { item_id: item, expression: asked.expression }
        const tile = await org.invoke<{ statistics: Measured }>('items.tile.statistics', input)
        assertMeasured(tile.statistics, label)
      }
      const cog = await org.invoke<{ statistics: Record<string, Measured> }>('cog.statistics', {
        url,
        geometry,
        ...asked,
      })
      assertMeasured(Object.values(cog.statistics)[0]!, label)
      const zonal = await org.invoke<{ result: { zones: { values: Measured[] }[] } }>('analytics.execute', {
        operation: 'zonal_stats',
        params: { item_id: item, geometry, ...asked },
      })
      assertMeasured(zonal.result.zones[0]!.values[0]!, `zonal ${label}`)
      const place = await placeOf(500_155, 5_999_845)
      const point = await org.invoke<{ values: { value: number }[] }>('items.tile.point', {
        item_id: item,
        ...place,
        ...asked,
      })
      assert.equal(point.values[0]!.value, value(255), label)
    }
    const { values, type: written } = await compute('band-math', { item, expression: 'b1 - 1' })
    assert.equal(written, 'float64')
    assert.deepEqual(
      values[0],
      Array.from({ length: 256 }, (_, at) => value(at) - 1),
    )
  }
})

test('polygons of an area that overlap count once in statistics, zones and clips', async () => {
  const part = (west: number, south: number, east: number, north: number) => [
    [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ],
  ]
  const geometry = { type: 'MultiPolygon', coordinates: [part(10.05, 50.5, 10.3, 50.8), part(10.2, 50.6, 10.5, 50.9)] }
  const affine: Image['affine'] = [10, 0.01, 0, 51, 0, -0.01]
  const { item, url } = await deliver({
    type: 'uint8',
    width: 80,
    height: 60,
    bands: ['b1'],
    epsg: 4326,
    affine,
    value: () => 1,
  })
  const { statistics } = await org.invoke<{ statistics: Record<string, { count: number }> }>('cog.statistics', {
    url,
    geometry,
  })
  assert.equal(statistics['b1']!.count, 1450)
  for (const weighted of [true, false]) {
    const { result } = await org.invoke<{ result: { zones: { values: { count: number }[] }[] } }>('analytics.execute', {
      operation: 'zonal_stats',
      params: { item_id: item, geometry, weighted },
    })
    assert.ok(Math.abs(result.zones[0]!.values[0]!.count - 1450) < 1e-3)
  }
  const { values } = await compute('clip', { item, geometry })
  assert.equal(values[0]!.filter((value) => value !== null).length, 1450)
})
