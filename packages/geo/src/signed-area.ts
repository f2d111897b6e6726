/**
 * The planar area of a ring, positive if counterclockwise; the last position may repeat the first. Computed relative to
 * the first position, so that small rings far from the origin keep their precision.
 */
export function computeSignedPlanarArea(ring: readonly (readonly [x: number, y: number, ...rest: number[]])[]): number {
  const [x0, y0] = ring[0] ?? [0, 0]
  let doubled = 0
  for (let at = 0; at + 1 < ring.length; at++) {
    const [x1, y1] = ring[at]!
    const [x2, y2] = ring[at + 1]!
    doubled += (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0)
  }
  return doubled / 2
}
