import type { BandMeter, MeterWish, Piece } from './meter.ts'
import type { ValueRules } from './value-chunk.ts'
import { summarise } from './word-meter.ts'
import type { ValueList } from './word-meter.ts'

/** Pixels up to which samples of 16 bits are kept: counters for all that they can be would cost more. */
export const MOST_KEPT_PIXELS = 32_768

interface KeptSamples {
  readonly samples: Int32Array
  readonly masses: Float64Array
  count: number
}

/** Measures one band of 16 bits of few pixels, with counters between their smallest and largest sample alone. */
export function createSmallMeter(pixels: number, rules: ValueRules, wish: MeterWish): BandMeter {
  const kept: KeptSamples = { samples: new Int32Array(pixels), masses: new Float64Array(pixels), count: 0 }
  return {
    add: (piece) => keepPiece(kept, piece, rules),
    endPass: () => false,
    finish: () => summarise(listKept(kept, rules), wish),
  }
}

function keepPiece(kept: KeptSamples, { data, stride, mask, runs, weights }: Piece, rules: ValueRules): void {
  const absent = rules.nodata?.lowest ?? NaN
  const valid = rules.masked ? mask : null
  for (let run = 0; run < runs.length; run += 2) {
    const end = runs[run]! + runs[run + 1]!
    for (let pixel = runs[run]!; pixel < end; pixel++) {
      const sample = data[pixel * stride]!
      const mass = weights === null ? 1 : weights[pixel]!
      if (mass === 0 || sample === absent || (valid !== null && valid[pixel] === 0)) continue
      kept.samples[kept.count] = sample
      kept.masses[kept.count++] = mass
    }
  }
}

function listKept({ samples, masses: kept, count }: KeptSamples, { scale, offset }: ValueRules): ValueList {
  let [lowest, highest] = [Infinity, -Infinity]
  for (let at = 0; at < count; at++) {
    const sample = samples[at]!
    if (sample < lowest) lowest = sample
    if (sample > highest) highest = sample
  }
  const size = count === 0 ? 0 : highest - lowest + 1
  const totals = new Float64Array(size)
  for (let at = 0; at < count; at++) totals[samples[at]! - lowest]! += kept[at]!
  const values = new Float64Array(size)
  const masses = new Float64Array(size)
  let found = 0
  for (let at = 0; at < size; at++) {
    // A negative scale turns the order around.
    const place = scale < 0 ? size - 1 - at : at
    if (totals[place] === 0) continue
    values[found] = (lowest + place) * scale + offset
    masses[found++] = totals[place]!
  }
  return { values: values.slice(0, found), masses: masses.slice(0, found) }
}
