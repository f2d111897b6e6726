export type PointInRingLocation = 'inside' | 'outside' | 'border'

/** The location of a position relative to a ring (even-odd rule); edges are straight in degrees. */
export function locatePointInRing(
  x: number,
  y: number,
  ring: readonly (readonly [x: number, y: number, ...rest: number[]])[],
): PointInRingLocation {
  let inside = false
  for (let at = 0; at + 1 < ring.length; at++) {
    const [x1, y1] = ring[at]!
    const [x2, y2] = ring[at + 1]!
    const orientation = (x2 - x1) * (y - y1) - (x - x1) * (y2 - y1)
    const within = x >= Math.min(x1, x2) && x <= Math.max(x1, x2) && y >= Math.min(y1, y2) && y <= Math.max(y1, y2)
    if (orientation === 0 && within) return 'border'
    if (y1 > y !== y2 > y && orientation > 0 === y2 > y1) inside = !inside
  }
  return inside ? 'inside' : 'outside'
}
