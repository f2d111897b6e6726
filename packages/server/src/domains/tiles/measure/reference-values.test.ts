import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { after, before, test } from 'node:test'
import { decodeTerrainHeight } from '@swath/raster'
import type { BytesResponse } from '../../../engine/operation-response.ts'
import type { OperationHandler } from '../../../engine/handler.ts'
import { requireValidOutput, readCallInput } from '../../../engine/input/read-input.ts'
import { baseUrl, deliverItem, openTestServices } from '../../../../test/test-services.ts'
import { decodePng, storeFileAsset } from '../../../../test/rasters.ts'
import { handler as cogStatistics } from '../operations/cog.statistics.ts'
import { handler as cogTileTerrain } from '../operations/cog.tile.terrain.ts'
import { handler as itemsTileHistogram } from '../operations/items.tile.histogram.ts'
import { handler as itemsTilePoint } from '../operations/items.tile.point.ts'
import { handler as itemsTileStatistics } from '../operations/items.tile.statistics.ts'

/** The results of numpy, rasterio and rio-tiler (`fixtures/images/make-expectations.py`). */
interface ReferenceStatistics {
  readonly count: number
  readonly valid_percent: number
  readonly min: number
  readonly max: number
  readonly mean: number
  readonly std: number
  readonly median: number
  readonly percentiles: Record<string, number>
  readonly counts: number[]
  readonly edges: number[]
}
interface Expectations {
  readonly statistics: Record<string, { geometry: object; bands: Record<string, ReferenceStatistics> }>
  readonly ratio: Record<string, { expression: string; all: ReferenceStatistics }>
  readonly places: Record<string, { lon: number; lat: number; values: (number | null)[] }[]>
  readonly heights: Record<string, { z: number; x: number; y: number; heights: (number | null)[][] }[]>
}
type MeasuredStatistics = Omit<ReferenceStatistics, 'counts' | 'edges'> & {
  histogram: Pick<ReferenceStatistics, 'counts' | 'edges'>
}

const fixtures = new URL('../../../../../../fixtures/', import.meta.url)
const expected = JSON.parse(readFileSync(new URL('images/expectations.json', fixtures), 'utf8')) as Expectations

let app: Awaited<ReturnType<typeof openTestServices>>
let fixture: Awaited<ReturnType<typeof app.createOrganization>>
const items = new Map<string, { item_id: string; url: string }>()

before(async () => {
  app = await openTestServices()
  fixture = await app.createOrganization()
  for (const name of new Set([...Object.keys(expected.places), ...Object.keys(expected.heights)])) {
    const asset = await storeFileAsset(app.blobs, fileURLToPath(new URL(`rasters/scenes/${name}`, fixtures)))
    const { item_id } = await deliverItem(fixture.owner, fixture.project, { assets: [asset] })
    items.set(name, { item_id, url: `${baseUrl}/api/v1/items/${item_id}/assets/${asset.id}` })
  }
})
after(() => app.close())

async function invoke<T>(handler: OperationHandler, input: object): Promise<T> {
  const response = await handler.handle(
    fixture.owner,
    readCallInput(handler.operation, structuredClone(input)) as never,
  )
  if (handler.operation.response_kind === 'json') requireValidOutput(handler.operation, response)
  return response as T
}

const assertClose = (actual: number, reference: number, relative: number, label: string): void =>
  assert.ok(
    Math.abs(actual - reference) <= relative * Math.max(1e-3, Math.abs(reference)),
    `${label}: ${actual} for ${reference}`,
  )

function assertSameStatistics(
  actual: MeasuredStatistics,
  reference: ReferenceStatistics,
  label: string,
  relative = 1e-9,
): void {
  assert.equal(actual.count, reference.count, `${label} count`)
  for (const key of ['valid_percent', 'min', 'max', 'mean', 'std', 'median'] as const) {
    assertClose(actual[key], reference[key], relative, `${label} ${key}`)
  }
  for (const [key, value] of Object.entries(reference.percentiles)) {
    assertClose(actual.percentiles[key]!, value, relative, `${label} ${key} %`)
  }
}

for (const [name, { geometry, bands }] of Object.entries(expected.statistics)) {
  test(`${name}: statistics of an area with a hole equal those of numpy`, async () => {
    const { url } = items.get(name)!
    const actual = await invoke<{ statistics: Record<string, MeasuredStatistics>; approximate: boolean }>(
      cogStatistics,
      {
        url,
        geometry,
        percentiles: [2, 25, 98],
      },
    )
    assert.equal(actual.approximate, false)
    assert.deepEqual(Object.keys(actual.statistics), Object.keys(bands))
    for (const [band, reference] of Object.entries(bands)) {
      const measured = actual.statistics[band]!
      assertSameStatistics(measured, reference, band)
      assert.deepEqual(measured.histogram.counts, reference.counts, band)
      measured.histogram.edges.forEach((edge, at) => assertClose(edge, reference.edges[at]!, 1e-9, `${band} edge`))
    }
  })
}

for (const [name, { expression, all }] of Object.entries(expected.ratio)) {
  test(`${name}: an expression over the whole item and its histogram equal those of numpy`, async () => {
    const { item_id } = items.get(name)!
    const { statistics } = await invoke<{ statistics: MeasuredStatistics }>(itemsTileStatistics, {
      item_id,
      expression,
    })
    assertSameStatistics(statistics, { ...all, percentiles: {} }, expression, 1e-6)
    if (all.min === all.max) return
    const { histograms } = await invoke<{ histograms: { name: string; counts: number[] }[] }>(itemsTileHistogram, {
      item_id,
      expression,
      bins: 10,
    })
    assert.equal(histograms[0]!.name, expression)
    histograms[0]!.counts.forEach((count, at) => assert.ok(Math.abs(count - all.counts[at]!) <= 1, `bin ${at}`))
  })
}

for (const [name, places] of Object.entries(expected.places)) {
  test(`${name}: point values equal the samples of rasterio`, async () => {
    for (const { lon, lat, values } of places) {
      const { item_id } = items.get(name)!
      const actual = await invoke<{ values: { name: string; value: number | null }[] }>(itemsTilePoint, {
        item_id,
        lon,
        lat,
      })
      assert.deepEqual(
        actual.values.map(({ value }) => value),
        values,
        `${lon}, ${lat}`,
      )
      assert.deepEqual(
        actual.values.map((one) => one.name),
        values.map((_, at) => `b${at + 1}`),
      )
    }
  })
}

for (const [name, tiles] of Object.entries(expected.heights)) {
  test(`${name}: heights decoded from terrain tiles equal those of rio-tiler`, async () => {
    for (const encoding of ['mapbox', 'terrarium'] as const) {
      const rounding = encoding === 'mapbox' ? 0.05 : 1 / 512
      for (const { z, x, y, heights } of tiles) {
        const { body } = await invoke<BytesResponse>(cogTileTerrain, { url: items.get(name)!.url, z, x, y, encoding })
        const image = decodePng(body)
        assert.equal(image.channels, 3)
        for (const [row, line] of heights.entries()) {
          for (const [column, reference] of line.entries()) {
            const [red, green, blue] = image.pixelAt(8 + column * 16, 8 + row * 16)
            const actual = decodeTerrainHeight(encoding, red!, green!, blue!)
            const difference = Math.abs(actual - (reference ?? 0))
            assert.ok(
              difference <= rounding + 1e-3,
              `${encoding} ${z}/${x}/${y} at ${column}, ${row}: ${actual} for ${reference}`,
            )
          }
        }
      }
    }
  })
}
