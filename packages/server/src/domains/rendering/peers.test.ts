import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { after, before, test } from 'node:test'
import { decodeHeight } from '@swath/raster'
import type { BytesAnswer } from '../../engine/answer.ts'
import type { Handler } from '../../engine/handler.ts'
import { checkOutput, readInput } from '../../engine/read-input.ts'
import { base, deliver, openHoldings } from '../../../test/holdings.ts'
import { readPng, storeFile } from '../../../test/rasters.ts'
import { measureCog } from '../cog/cog.statistics.ts'
import { renderCogTerrain } from '../cog/cog.tile.terrain.ts'
import { countItemValues } from '../items/items.tile.histogram.ts'
import { readItemPoint } from '../items/items.tile.point.ts'
import { measureItem } from '../items/items.tile.statistics.ts'

/** The results of numpy, rasterio and rio-tiler (`fixtures/pictures/make-expectations.py`). */
interface Numbers {
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
  readonly statistics: Record<string, { geometry: object; bands: Record<string, Numbers> }>
  readonly ratio: Record<string, { expression: string; all: Numbers }>
  readonly places: Record<string, { lon: number; lat: number; values: (number | null)[] }[]>
  readonly heights: Record<string, { z: number; x: number; y: number; heights: (number | null)[][] }[]>
}
type Measured = Omit<Numbers, 'counts' | 'edges'> & { histogram: Pick<Numbers, 'counts' | 'edges'> }

const fixtures = new URL('../../../../../fixtures/', import.meta.url)
const expected = JSON.parse(readFileSync(new URL('pictures/expectations.json', fixtures), 'utf8')) as Expectations

let house: Awaited<ReturnType<typeof openHoldings>>
let world: Awaited<ReturnType<typeof house.organize>>
const items = new Map<string, { item_id: string; url: string }>()

before(async () => {
  house = await openHoldings()
  world = await house.organize()
  for (const name of new Set([...Object.keys(expected.places), ...Object.keys(expected.heights)])) {
    const asset = await storeFile(house.blobs, fileURLToPath(new URL(`rasters/scenes/${name}`, fixtures)))
    const { item_id } = await deliver(world.owner, world.project, { assets: [asset] })
    items.set(name, { item_id, url: `${base}/api/v1/items/${item_id}/assets/${asset.id}` })
  }
})
after(() => house.close())

async function ask<T>(handler: Handler, input: object): Promise<T> {
  const answer = await handler.answer(world.owner, readInput(handler.operation, structuredClone(input)) as never)
  if (handler.operation.answer === 'json') checkOutput(handler.operation, answer)
  return answer as T
}

const near = (found: number, wanted: number, relative: number, what: string): void =>
  assert.ok(Math.abs(found - wanted) <= relative * Math.max(1e-3, Math.abs(wanted)), `${what}: ${found} for ${wanted}`)

function sameNumbers(found: Measured, wanted: Numbers, what: string, relative = 1e-9): void {
  assert.equal(found.count, wanted.count, `${what} count`)
  for (const key of ['valid_percent', 'min', 'max', 'mean', 'std', 'median'] as const) {
    near(found[key], wanted[key], relative, `${what} ${key}`)
  }
  for (const [key, value] of Object.entries(wanted.percentiles)) {
    near(found.percentiles[key]!, value, relative, `${what} ${key} %`)
  }
}

for (const [name, { geometry, bands }] of Object.entries(expected.statistics)) {
  test(`${name}: statistics of an area with a hole equal those of numpy`, async () => {
    const { url } = items.get(name)!
    const found = await ask<{ statistics: Record<string, Measured>; approximate: boolean }>(measureCog, {
      url,
      geometry,
      percentiles: [2, 25, 98],
    })
    assert.equal(found.approximate, false)
    assert.deepEqual(Object.keys(found.statistics), Object.keys(bands))
    for (const [band, wanted] of Object.entries(bands)) {
      const measured = found.statistics[band]!
      sameNumbers(measured, wanted, band)
      assert.deepEqual(measured.histogram.counts, wanted.counts, band)
      measured.histogram.edges.forEach((edge, at) => near(edge, wanted.edges[at]!, 1e-9, `${band} edge`))
    }
  })
}

for (const [name, { expression, all }] of Object.entries(expected.ratio)) {
  test(`${name}: an expression over the whole item and its histogram equal those of numpy`, async () => {
    const { item_id } = items.get(name)!
    const { statistics } = await ask<{ statistics: Measured }>(measureItem, { item_id, expression })
    sameNumbers(statistics, { ...all, percentiles: {} }, expression, 1e-6)
    if (all.min === all.max) return
    const { histograms } = await ask<{ histograms: { name: string; counts: number[] }[] }>(countItemValues, {
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
      const found = await ask<{ values: { name: string; value: number | null }[] }>(readItemPoint, {
        item_id,
        lon,
        lat,
      })
      assert.deepEqual(
        found.values.map(({ value }) => value),
        values,
        `${lon}, ${lat}`,
      )
      assert.deepEqual(
        found.values.map((one) => one.name),
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
        const { body } = await ask<BytesAnswer>(renderCogTerrain, { url: items.get(name)!.url, z, x, y, encoding })
        const picture = readPng(body)
        assert.equal(picture.channels, 3)
        for (const [row, line] of heights.entries()) {
          for (const [column, wanted] of line.entries()) {
            const [red, green, blue] = picture.at(8 + column * 16, 8 + row * 16)
            const found = decodeHeight(encoding, red!, green!, blue!)
            const off = Math.abs(found - (wanted ?? 0))
            assert.ok(off <= rounding + 1e-3, `${encoding} ${z}/${x}/${y} at ${column}, ${row}: ${found} for ${wanted}`)
          }
        }
      }
    }
  })
}
