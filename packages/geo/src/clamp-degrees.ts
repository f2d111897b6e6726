/** What rounding adds to a bound: Natural Earth has -180.00000000000006. */
const noise_degrees = 1e-9

/**
 * A longitude (`bound` 180) or latitude (90) that passes its bound by rounding alone, put onto the bound; any other number as
 * it is. `noise` is the most that rounding adds, in degrees: more where the number comes out of a projection.
 */
export const clampDegrees = (value: number, bound: 90 | 180, noise = noise_degrees): number =>
  Math.abs(value) > bound && Math.abs(value) - bound < noise ? Math.sign(value) * bound : value
