import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { createMemorySource } from '../../io/source/memory.ts'
import { openRaster } from '../../formats/open-raster.ts'
import type { Raster } from '../../types.ts'
import type { MeasuredBandStatistics, BandHistogram, RasterStatistics } from './measures.ts'
import { computeRasterStatistics } from './raster-statistics.ts'
import { computeZonalStatistics } from './zonal-statistics.ts'

const fixtures = new URL('../../../../../fixtures/', import.meta.url)

type Text = number | string
type ExpectedBand = Partial<Record<keyof MeasuredBandStatistics, Text>> & {
  percentiles?: Text[]
  histogram?: BandHistogram
  gdal?: Text[] | null
}

interface Expectations {
  readonly percentiles: number[]
  readonly statistics: { file: string; level: number; scaled: boolean; bands: ExpectedBand[] }[]
  readonly zones: {
    file: string
    coordinates: 'raster' | 'degrees'
    area: AreaGeometry
    pixels: number
    bands: ExpectedBand[]
  }[]
  readonly coverages: { file: string; area: AreaGeometry; bands: ExpectedBand[] }[]
}

const expected = JSON.parse(readFileSync(new URL('measures/expectations.json', fixtures), 'utf8')) as Expectations
const { percentiles } = expected
const numberFields = ['count', 'valid_percent', 'sum', 'minimum', 'maximum', 'mean', 'stddev'] as const

for (const { file, level, scaled, bands } of expected.statistics) {
  test(`${file}, level ${level}${scaled ? ', scaled' : ''}: the statistics of numpy and GDAL`, async () => {
    const raster = await openFixture(file)
    const found = await computeRasterStatistics(raster, { level, scaled, percentiles, histogram: { bins: 10 } })
    assert.equal(found.level, level)
    assert.equal(found.approximate, false)
    compareBands(found, bands, 1e-9)
    for (const [at, { gdal }] of bands.entries()) {
      const { minimum, maximum, mean, stddev } = found.bands[at]!
      if (gdal) [minimum, maximum, mean, stddev].forEach((value, index) => assertClose(value, gdal[index]!, 1e-9))
    }
  })
}

for (const { file, coordinates, area, pixels, bands } of expected.zones) {
  test(`${file}: the ${pixels} pixels of gdal_rasterize, in ${coordinates}`, async () => {
    const raster = await openFixture(file)
    const found = await computeZonalStatistics(raster, area, { coordinates, percentiles, histogram: { bins: 10 } })
    compareBands(found, bands, 1e-9)
  })
}

for (const { file, area, bands } of expected.coverages) {
  test(`${file}: pixels weighed as exactextract does`, async () => {
    const raster = await openFixture(file)
    const found = await computeZonalStatistics(raster, area, { coordinates: 'raster', coverage: true, percentiles })
    compareBands(found, bands, 1e-6)
  })
}

function compareBands(found: RasterStatistics, bands: readonly ExpectedBand[], tolerance: number): void {
  assert.equal(found.bands.length, bands.length)
  for (const [at, band] of bands.entries()) {
    const own = found.bands[at]!
    for (const name of numberFields)
      if (name in band) assertClose(own[name], band[name]!, tolerance, `${name} of band ${at}`)
    for (const [place, value] of (band.percentiles ?? []).entries()) {
      assertClose(own.percentiles[place]!, value, 1e-12, `percentile ${percentiles[place]} of band ${at}`)
    }
    if (!band.histogram) continue
    assert.deepEqual(own.histogram!.counts, band.histogram.counts)
    own.histogram!.edges.forEach((edge, place) => assertClose(edge, band.histogram!.edges[place]!, 1e-12))
  }
}

function assertClose(found: number, text: Text, tolerance: number, what = ''): void {
  const wanted = Number(text)
  if (Object.is(found, wanted) || found === wanted) return
  const isClose = Math.abs(found - wanted) <= tolerance * Math.max(Math.abs(wanted), Math.abs(found))
  assert.ok(isClose, `${what}: ${found} for ${wanted}`)
}

async function openFixture(name: string): Promise<Raster> {
  return openRaster(createMemorySource(readFileSync(new URL(name, fixtures)), name))
}
