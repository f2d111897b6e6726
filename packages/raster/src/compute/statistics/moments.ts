/** Count, mean and spread of values while they come in. */
export interface StatisticalMoments {
  mass: number
  mean: number
  /** Sum of squared differences from the mean. */
  squares: number
  /** Stored beside the mean for infinite values, whose means cannot be merged. */
  sum: number
  minimum: number
  maximum: number
  /** The same without infinities. */
  lowest: number
  highest: number
}

export function startStatisticalMoments(): StatisticalMoments {
  return {
    mass: 0,
    mean: 0,
    squares: 0,
    sum: 0,
    minimum: Infinity,
    maximum: -Infinity,
    lowest: Infinity,
    highest: -Infinity,
  }
}

/** Adds some values: their own mean first, then the joint one (Chan, Golub and LeVeque 1983), which loses little. */
export function addToStatisticalMoments(
  moments: StatisticalMoments,
  values: Float64Array,
  weights: Float64Array | null,
  count: number,
): void {
  let [mass, sum, minimum, maximum] = [0, 0, Infinity, -Infinity]
  for (let i = 0; i < count; i++) {
    const value = values[i]!
    const weight = weights === null ? 1 : weights[i]!
    mass += weight
    sum += weight * value
    if (value < minimum) minimum = value
    if (value > maximum) maximum = value
  }
  const mean = sum / mass
  let squares = 0
  for (let i = 0; i < count; i++) {
    const difference = values[i]! - mean
    squares += (weights === null ? 1 : weights[i]!) * difference * difference
  }
  joinMoments(moments, mass, mean, squares)
  moments.sum += sum
  moments.minimum = Math.min(moments.minimum, minimum)
  moments.maximum = Math.max(moments.maximum, maximum)
  if (!Number.isFinite(minimum) || !Number.isFinite(maximum)) [minimum, maximum] = finiteEnds(values, count)
  moments.lowest = Math.min(moments.lowest, minimum)
  moments.highest = Math.max(moments.highest, maximum)
}

function joinMoments(moments: StatisticalMoments, mass: number, mean: number, squares: number): void {
  const total = moments.mass + mass
  const difference = mean - moments.mean
  moments.squares += squares + ((moments.mass * mass) / total) * difference * difference
  moments.mean += (difference * mass) / total
  moments.mass = total
}

function finiteEnds(values: Float64Array, count: number): [lowest: number, highest: number] {
  let [lowest, highest] = [Infinity, -Infinity]
  for (let i = 0; i < count; i++) {
    const value = values[i]!
    if (!Number.isFinite(value)) continue
    lowest = Math.min(lowest, value)
    highest = Math.max(highest, value)
  }
  return [lowest, highest]
}

/**
 * Returns the final moments; with an infinity among the values the mean is infinite or NaN and the spread NaN, as in
 * numpy.
 */
export function finishStatisticalMoments({ mass, mean, squares, sum, minimum, maximum }: StatisticalMoments): {
  readonly count: number
  readonly sum: number
  readonly minimum: number
  readonly maximum: number
  readonly mean: number
  readonly stddev: number
} {
  if (mass === 0) return { count: 0, sum: NaN, minimum: NaN, maximum: NaN, mean: NaN, stddev: NaN }
  return {
    count: mass,
    sum,
    minimum,
    maximum,
    mean: Number.isFinite(sum) ? mean : sum / mass,
    stddev: Math.sqrt(squares / mass),
  }
}
