import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  getSortableKeyHead,
  sortable_key_head_cardinality,
  getSortableKeyRest,
  sortable_key_rest_cardinality,
  decodeSortableKey,
  splitValuesIntoWords,
} from './sortable-keys.ts'
import { createStreamingStatistics } from './streaming-statistics.ts'
import type { BandStatisticsValues, AccumulatorOptions, MeasuredPiece } from './accumulator.ts'

const testedPercentiles = [0, 0.01, 1, 2, 10, 33.3, 50, 66.7, 90, 98, 99.99, 100]
const plainRules = { masked: false, nodata: null, scale: 1, offset: 0 }

/** Numbers that look like chance and are the same every time: 32 bits each. */
function* numbers(seed: number): Generator<number> {
  for (let state = seed >>> 0; ;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    // The low bits of the sequence repeat soon; mixed with the high ones they do not.
    yield (state ^ (state >>> 15) ^ (state << 7)) >>> 0
  }
}

const value_count = 200_000

const valueSets: Readonly<Record<string, () => Float32Array | Float64Array | Int32Array | Uint32Array>> = {
  'float64 of any bits, with infinities, NaN and denormals': () => {
    const words = Uint32Array.from(take(numbers(1), value_count * 2))
    const values = new Float64Array(words.buffer)
    values.set([Infinity, -Infinity, NaN, -0, 0, 5e-324, -5e-324, Number.MAX_VALUE, -Number.MAX_VALUE, 2.2e-308])
    return values
  },
  'float32 of any bits': () => new Float32Array(Uint32Array.from(take(numbers(2), value_count)).buffer),
  'denormals only': () => {
    const values = Float64Array.from(take(numbers(3), value_count), (word) => (word - 2 ** 31) * 5e-324)
    return values
  },
  'heights between 200 and 3000 m': () =>
    Float32Array.from(take(numbers(4), value_count), (word) => 200 + 2800 * (word / 2 ** 32) ** 2),
  'nearly all one value': () =>
    Float32Array.from(take(numbers(5), value_count), (word) => (word % 50 === 0 ? word : -0.5)),
  'zeros of both signs among infinities': () =>
    Float64Array.from(take(numbers(6), value_count), (word) => [0, -0, Infinity, -Infinity][word % 4]!),
  'neighbouring float64': () =>
    Float64Array.from(take(numbers(7), value_count), (word) => 1 + (word % 1000) * Number.EPSILON),
  'int32 from end to end': () => {
    const values = Int32Array.from(take(numbers(8), value_count), (word) => word | 0)
    values.set([-2_147_483_648, 2_147_483_647, 0, -1])
    return values
  },
  'uint32 from end to end': () => Uint32Array.from(take(numbers(9), value_count)),
  'few values': () => Int32Array.from([5, -3, 5]),
}

for (const [name, make] of Object.entries(valueSets)) {
  test(`percentiles are those of a sorted list: ${name}`, () => {
    const values = make()
    const sorted = Float64Array.from(values)
      .filter((value) => !Number.isNaN(value))
      .sort()
    const wanted = testedPercentiles.map((percentile) => percentileOf(sorted, percentile))
    // All in memory; in passes until little is left; in passes to the end, with few counters.
    for (const [most_kept, counters] of [
      [value_count, 2 ** 20],
      [1000, 2 ** 20],
      [0, 2 ** 10],
    ] as const) {
      const { found, passes } = measure(values, { most_kept, counters })
      assert.deepEqual(found.percentiles.map(unsigned), wanted.map(unsigned))
      assert.equal(found.count, sorted.length)
      assert.deepEqual([found.minimum, found.maximum].map(unsigned), [sorted[0]!, sorted.at(-1)!].map(unsigned))
      assert.ok(passes <= (counters === 2 ** 10 ? 12 : 5), `${passes} passes`)
    }
  })
}

test('what is measured in passes is what is measured in memory', () => {
  const values = Float32Array.from(take(numbers(11), 50_000), (word) => Math.sin(word) * 1000)
  const options = { histogram: { bins: 33 } }
  const whole = measure(values, { ...options, most_kept: 1e6, counters: 2 ** 20 })
  const passes = measure(values, { ...options, most_kept: 100, counters: 2 ** 12 })
  assert.equal(whole.passes, 1)
  assert.ok(passes.passes > 1)
  assert.deepEqual(passes.found, whole.found)
  assert.equal(
    whole.found.histogram!.counts.reduce((sum, count) => sum + count),
    50_000,
  )
})

test('weights count as if values came several times', () => {
  const values = Float32Array.from(take(numbers(12), 3000), (word) => word % 977)
  const weights = Float64Array.from(take(numbers(13), 3000), (word) => word % 4)
  const repeated = Float32Array.from([...values].flatMap((value, at) => Array<number>(weights[at]!).fill(value)))
  const sorted = Float64Array.from(repeated).sort()
  for (const most_kept of [1e6, 10]) {
    const { found } = measure(values, { most_kept, counters: 2 ** 20, weighted: true }, weights)
    const plain = measure(repeated, { most_kept, counters: 2 ** 20 }).found
    for (const name of ['count', 'sum', 'minimum', 'maximum', 'mean', 'stddev'] as const) {
      assert.ok(Math.abs(found[name] - plain[name]) <= 1e-9 * Math.abs(plain[name]), name)
    }
    for (const [at, percentile] of testedPercentiles.entries()) {
      // The smallest value up to which at least that part lies.
      const place = Math.max(0, Math.ceil((percentile / 100) * sorted.length) - 1)
      assert.equal(found.percentiles[at], sorted[place])
    }
  }
})

test('keys run with the values, and back', () => {
  const values = Float64Array.of(
    -Infinity,
    -Number.MAX_VALUE,
    -1.5,
    -1,
    -5e-324,
    0,
    5e-324,
    1e-300,
    1,
    1.5,
    2 ** 60,
    Infinity,
  )
  const words = splitValuesIntoWords(values, values.length)
  let last = -1
  for (const [at, value] of values.entries()) {
    const head = getSortableKeyHead(words[2 * at + 1]!)
    const rest = getSortableKeyRest(words[2 * at + 1]!, words[2 * at]!)
    assert.ok(head >= 0 && head < sortable_key_head_cardinality && rest >= 0 && rest < sortable_key_rest_cardinality)
    assert.ok(head + rest / sortable_key_rest_cardinality >= last)
    assert.equal(decodeSortableKey(head, rest), value)
    last = head + rest / sortable_key_rest_cardinality
  }
})

function* take(from: Generator<number>, count: number): Generator<number> {
  for (let at = 0; at < count; at++) yield from.next().value as number
}

/** Runs a meter over values in pieces of odd sizes until it needs no more passes. */
function measure(
  values: Float32Array | Float64Array | Int32Array | Uint32Array,
  options: Partial<AccumulatorOptions>,
  weights: Float64Array | null = null,
): { found: BandStatisticsValues; passes: number } {
  const defaults = {
    percentiles: testedPercentiles,
    histogram: null,
    classes: false,
    weighted: false,
    most_kept: 0,
    counters: 1,
  }
  const meter = createStreamingStatistics(plainRules, { ...defaults, ...options })
  const size = values.length
  const half = Math.floor(size / 3)
  const runs = Int32Array.of(0, half, half, size - half)
  const piece: MeasuredPiece = { data: values, stride: 1, mask: null, runs, weights }
  let passes = 0
  do {
    passes++
    meter.add(piece)
  } while (meter.endPass())
  return { found: meter.finish(), passes }
}

function percentileOf(sorted: Float64Array, percentile: number): number {
  const position = (sorted.length - 1) * (percentile / 100)
  const low = sorted[Math.floor(position)]!
  const high = sorted[Math.ceil(position)]!
  const part = position - Math.floor(position)
  if (low === high) return low
  return part < 0.5 ? low + (high - low) * part : high - (high - low) * (1 - part)
}

/** Zero has one sign among measures. */
function unsigned(value: number): number {
  return value + 0
}
