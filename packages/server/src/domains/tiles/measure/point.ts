import { evaluateExpression, type Raster } from '@swath/raster'
import { rasterReadLimits } from '../../items/search/read-limits.ts'
import type { ItemMeasurementSubject } from './item-measurement.ts'
import { listMeasuredValueNames, type MeasuredExpression } from './measure-target.ts'
import { withTimeout } from '../within-time.ts'
import type { OrganizationRasterJobRunner } from '../raster-pool.ts'

export interface PointReadOptions {
  readonly lon: number
  readonly lat: number
  /** Applies scale and offset of the bands. */
  readonly scaled: boolean
  readonly jobs: OrganizationRasterJobRunner
  readonly signal: AbortSignal
}

export interface MeasuredPointValue {
  readonly name: string
  readonly band_name: string | null
  readonly value: number | null
  readonly unit: string | null
}

/**
 * The values of the pixel that contains a point. Throws `validation` of `lon` if the raster does not reach it, and
 * `budget-exceeded` beyond the limits of a tile.
 */
export async function readPointValues(
  { raster, bands, target }: ItemMeasurementSubject,
  options: PointReadOptions,
): Promise<MeasuredPointValue[]> {
  const { lon: longitude, lat: latitude, scaled } = options
  const request = {
    longitude,
    latitude,
    scaled,
    bands: target.bands,
    budget_bytes: rasterReadLimits.tile.decoded_bytes,
  }
  const samples = await withTimeout(
    options.jobs,
    { workName: 'point', timeout_ms: rasterReadLimits.tile.ms, signal: options.signal },
    (signal) => options.jobs.run('point', [raster], request, { signal, fields: { outside: 'lon' } }),
  )
  const { formula } = target
  const values = formula ? [evaluateAtPoint(formula, target.bands, samples)] : samples
  return listMeasuredValueNames(target, bands).map((name, at) => {
    const value = values[at] ?? null
    return {
      ...name,
      value: value !== null && Number.isFinite(value) ? value : null,
      unit: getBandUnit(raster, target.bands, at, scaled && !formula),
    }
  })
}

const getBandUnit = (raster: Raster, bands: readonly number[], at: number, scaled: boolean): string | null =>
  scaled ? (raster.bands[bands[at]!]?.unit ?? null) : null

/** Evaluates the expression at one pixel; null if a band has no value or the result is not finite. */
function evaluateAtPoint(
  { expression, names }: MeasuredExpression,
  bands: readonly number[],
  samples: readonly (number | null)[],
): number | null {
  if (samples.includes(null)) return null
  const data = Float64Array.from(samples as number[])
  const bandIndexes = Object.fromEntries(Object.entries(names).map(([word, band]) => [word, bands.indexOf(band)]))
  const block = { width: 1, height: 1, bands: bands.length, data, mask: Uint8Array.of(255) }
  const { data: result, mask } = evaluateExpression(expression, block, bandIndexes)
  return mask[0] === 0 ? null : result[0]!
}
