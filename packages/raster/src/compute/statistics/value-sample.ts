const FIRST_ROOM = 4096

/** Values that are kept in memory while they are few; once they are not, none are. */
export interface KeptValues {
  readonly most: number
  values: Float64Array
  weights: Float64Array | null
  count: number
  overflowed: boolean
}

export function startKeeping(most: number): KeptValues {
  return { most, values: new Float64Array(0), weights: null, count: 0, overflowed: most === 0 }
}

export function keepValues(kept: KeptValues, values: Float64Array, weights: Float64Array | null, count: number): void {
  if (kept.overflowed) return
  const needed = kept.count + count
  if (needed > kept.most) {
    Object.assign(kept, { values: new Float64Array(0), weights: null, count: 0, overflowed: true })
    return
  }
  if (needed > kept.values.length) {
    const room = Math.max(FIRST_ROOM, Math.min(kept.most, needed * 2))
    kept.values = enlarge(kept.values, room)
    if (weights) kept.weights = enlarge(kept.weights ?? new Float64Array(0), room)
  }
  kept.values.set(values.subarray(0, count), kept.count)
  if (weights) kept.weights!.set(weights.subarray(0, count), kept.count)
  kept.count = needed
}

function enlarge(values: Float64Array, room: number): Float64Array {
  const larger = new Float64Array(room)
  larger.set(values)
  return larger
}
