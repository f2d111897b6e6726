import { createRasterFormula, evaluateExpression, placeOutsideReason, type Raster } from '@swath/raster'
import { validationProblem } from '../../../engine/problem.ts'
import { rasterReadLimits } from '../../items/search/read-limits.ts'
import type { ItemMeasurementSubject } from './item-measurement.ts'
import { listMeasuredValueNames, type MeasuredExpression } from './measure-target.ts'
import { withTimeout } from '../within-time.ts'
import type { OrganizationRasterJobRunner } from '../raster-pool.ts'

export interface PointReadOptions {
  /** Applies scale and offset of the bands. */
  readonly scaled: boolean
  readonly jobs: OrganizationRasterJobRunner
  readonly signal: AbortSignal
}

type LonLat = Readonly<Record<'lon' | 'lat', number>>

export interface MeasuredPointValue {
  readonly name: string
  readonly band_name: string | null
  readonly value: number | null
  readonly unit: string | null
}

/**
 * The values of the pixel that contains a point. Throws `validation` of `lon` if the raster does not reach it, and what
 * `readValuesAtPoints` throws.
 */
export async function readPointValues(
  measured: ItemMeasurementSubject,
  { lon, lat, ...options }: PointReadOptions & LonLat,
): Promise<MeasuredPointValue[]> {
  const [values] = await readValuesAtPoints(measured, [{ lon, lat }], options)
  if (!values) throw validationProblem([{ path: 'lon', message: placeOutsideReason }])
  return values
}

/** Points of one job, so that a line does not keep a thread from other calls. */
const max_points_per_job = 16

/**
 * The values of the pixels that contain points; null for one that the raster does not reach. Throws `budget-exceeded` beyond the
 * limits of a tile.
 */
export async function readValuesAtPoints(
  { raster, bands, target }: ItemMeasurementSubject,
  points: readonly LonLat[],
  { scaled, jobs, signal }: PointReadOptions,
): Promise<(MeasuredPointValue[] | null)[]> {
  const { formula } = target
  const names = listMeasuredValueNames(target, bands)
  const type = formula && createRasterFormula(raster, formula.expression, { names: formula.names, scaled }).type
  const toValues = (samples: readonly (number | null)[]): MeasuredPointValue[] => {
    const values = formula && type ? [evaluateAtPoint(formula, target.bands, samples, type)] : samples
    return names.map((name, at) => {
      const value = values[at] ?? null
      return {
        ...name,
        value: value !== null && Number.isFinite(value) ? value : null,
        unit: getBandUnit(raster, target.bands, at, scaled && !formula),
      }
    })
  }
  const request = { scaled, bands: target.bands, budget_bytes: rasterReadLimits.tile.decoded_bytes }
  const limits = { workName: 'point', timeout_ms: rasterReadLimits.tile.ms, signal }
  const found: (MeasuredPointValue[] | null)[] = []
  for (let at = 0; at < points.length; at += max_points_per_job) {
    const positions = points.slice(at, at + max_points_per_job).map(({ lon, lat }) => [lon, lat] as const)
    const samples = await withTimeout(jobs, limits, (limitedSignal) =>
      jobs.run('points', [raster], { ...request, positions }, { signal: limitedSignal }),
    )
    found.push(...samples.map((values) => values && toValues(values)))
  }
  return found
}

const getBandUnit = (raster: Raster, bands: readonly number[], at: number, scaled: boolean): string | null =>
  scaled ? (raster.bands[bands[at]!]?.unit ?? null) : null

/** Evaluates the expression at one pixel, as statistics do; null if a band has no value or the result is not finite. */
function evaluateAtPoint(
  { expression, names }: MeasuredExpression,
  bands: readonly number[],
  samples: readonly (number | null)[],
  type: 'float32' | 'float64',
): number | null {
  if (samples.includes(null)) return null
  const data = Float64Array.from(samples as number[])
  const bandIndexes = Object.fromEntries(Object.entries(names).map(([word, band]) => [word, bands.indexOf(band)]))
  const block = { width: 1, height: 1, bands: bands.length, data, mask: Uint8Array.of(255) }
  const { data: result, mask } = evaluateExpression(expression, block, bandIndexes, type)
  return mask[0] === 0 ? null : result[0]!
}
