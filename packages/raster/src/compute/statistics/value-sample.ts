const first_capacity = 4096

/** Values that are stored in memory while they are few; later none, or an even sample. */
export interface ValueSample {
  readonly most: number
  readonly sampled: boolean
  /** Every value is stored, or every second, fourth, eighth and so on. */
  stride: number
  /** Values seen so far. */
  seen: number
  values: Float64Array
  weights: Float64Array | null
  count: number
  overflowed: boolean
}

/** @param sampled true to keep an even sample, of values without weights, once there are more than `most`. */
export function createValueSample(most: number, sampled = false): ValueSample {
  return {
    most,
    sampled,
    stride: 1,
    seen: 0,
    values: new Float64Array(0),
    weights: null,
    count: 0,
    overflowed: most === 0,
  }
}

export function addToValueSample(
  kept: ValueSample,
  values: Float64Array,
  weights: Float64Array | null,
  count: number,
): void {
  if (kept.overflowed) return
  if (kept.count + count > kept.most && !kept.sampled) {
    Object.assign(kept, { values: new Float64Array(0), weights: null, count: 0, overflowed: true })
    return
  }
  if (kept.stride > 1 || kept.count + count > kept.most) return keepSome(kept, values, count)
  ensureCapacity(kept, count, weights !== null)
  kept.values.set(values.subarray(0, count), kept.count)
  if (weights) kept.weights!.set(weights.subarray(0, count), kept.count)
  kept.count += count
  kept.seen += count
}

function keepSome(kept: ValueSample, values: Float64Array, count: number): void {
  ensureCapacity(kept, Math.min(count, kept.most - kept.count), false)
  let at = (kept.stride - (kept.seen % kept.stride)) % kept.stride
  for (; at < count; at += kept.stride) {
    if (kept.count === kept.most) {
      thinOut(kept)
      // The next value of the sparser sample, counted from the first of all.
      at += (kept.stride - ((kept.seen + at) % kept.stride)) % kept.stride
      if (at >= count) break
    }
    kept.values[kept.count++] = values[at]!
  }
  kept.seen += count
}

/** Every second value goes. */
function thinOut(kept: ValueSample): void {
  kept.count >>= 1
  for (let i = 0; i < kept.count; i++) kept.values[i] = kept.values[i * 2]!
  kept.stride *= 2
}

function ensureCapacity(kept: ValueSample, more: number, weighted: boolean): void {
  const needed = kept.count + more
  if (needed <= kept.values.length) return
  const capacity = Math.max(first_capacity, Math.min(kept.most, needed * 2))
  kept.values = enlarge(kept.values, capacity)
  if (weighted) kept.weights = enlarge(kept.weights ?? new Float64Array(0), capacity)
}

function enlarge(values: Float64Array, capacity: number): Float64Array {
  const larger = new Float64Array(capacity)
  larger.set(values)
  return larger
}
