import { evaluate, type Raster } from '@swath/raster'
import type { WorkOwner } from '../../engine/fair-queue.ts'
import { readLimits } from '../items/read-limits.ts'
import { develop } from './darkroom.ts'
import type { MeasuredItem } from './item-subject.ts'
import { namesOfSubject, type MeasuredFormula } from './subject.ts'
import { withinTime } from './within-time.ts'

export interface PlaceSpec {
  readonly lon: number
  readonly lat: number
  /** Applies scale and offset of the bands. */
  readonly scaled: boolean
  readonly owner: WorkOwner
  readonly signal: AbortSignal
}

export interface ValueAtPlace {
  readonly name: string
  readonly band_name: string | null
  readonly value: number | null
  readonly unit: string | null
}

/**
 * The values of the pixel that contains a point. Throws `validation` of `lon` if the raster does not reach it, and
 * `budget-exceeded` beyond the limits of a tile.
 */
export async function valuesAt({ raster, bands, subject }: MeasuredItem, place: PlaceSpec): Promise<ValueAtPlace[]> {
  const { lon: longitude, lat: latitude, scaled } = place
  const request = { longitude, latitude, scaled, bands: subject.bands, budget_bytes: readLimits.tile.decoded_bytes }
  const samples = await withinTime('point', readLimits.tile.ms, place.signal, (signal) =>
    develop(place.owner, 'point', [raster], request, signal, { outside: 'lon' }),
  )
  const { formula } = subject
  const values = formula ? [resultOf(formula, subject.bands, samples)] : samples
  return namesOfSubject(subject, bands).map((name, at) => {
    const value = values[at] ?? null
    return {
      ...name,
      value: value !== null && Number.isFinite(value) ? value : null,
      unit: unitOf(raster, subject.bands, at, scaled && !formula),
    }
  })
}

const unitOf = (raster: Raster, bands: readonly number[], at: number, scaled: boolean): string | null =>
  scaled ? (raster.bands[bands[at]!]?.unit ?? null) : null

/** Evaluates the expression at one pixel; null if a band has no value or the result is not finite. */
function resultOf(
  { expression, names }: MeasuredFormula,
  bands: readonly number[],
  samples: readonly (number | null)[],
): number | null {
  if (samples.includes(null)) return null
  const data = Float64Array.from(samples as number[])
  const places = Object.fromEntries(Object.entries(names).map(([word, band]) => [word, bands.indexOf(band)]))
  const block = { width: 1, height: 1, bands: bands.length, data, mask: Uint8Array.of(255) }
  const { data: result, mask } = evaluate(expression, block, places)
  return mask[0] === 0 ? null : result[0]!
}
