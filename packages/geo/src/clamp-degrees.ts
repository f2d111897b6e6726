/** Tolerance for rounding errors: Natural Earth has -180.00000000000006. */
const default_tolerance_degrees = 1e-9

/**
 * Clamps a longitude (`bound` 180) or latitude (90) that exceeds its bound by a rounding error only; returns any other
 * number unchanged. The tolerance is in degrees; numbers from a projection need a larger one.
 */
export const clampDegrees = (value: number, bound: 90 | 180, tolerance_degrees = default_tolerance_degrees): number =>
  Math.abs(value) > bound && Math.abs(value) - bound < tolerance_degrees ? Math.sign(value) * bound : value
