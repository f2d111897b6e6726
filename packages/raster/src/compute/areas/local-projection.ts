import type { LonLatBox } from './clip-ring.ts'

export type PlanePoint = readonly [x: number, y: number]
/** Pixels, from a place in the coordinates of the area. */
export type CoordinatesToPixels = (x: number, y: number) => PlanePoint

/** Over larger boxes a projection is not looked at as one polynomial. */
const max_degrees = 1
/** Maximum error of the polynomial, in pixels, at the checked places, which are near its largest error. */
const tolerance_pixels = 1e-6
const checkedOffsets = [-0.5, 0.5]

/** Nine coefficients of a polynomial of second degree in both directions. */
type Polynomial = Float64Array

/**
 * A projection within a small box of degrees as a polynomial through nine of its places, which costs a fraction of the
 * projection itself. Null where the box is large, or the polynomial is off by more than a millionth of a pixel.
 */
export function createLocalProjection(
  { west, south, east, north }: LonLatBox,
  toPixels: CoordinatesToPixels,
): CoordinatesToPixels | null {
  const half = Math.max(east - west, north - south) / 2
  if (!(half > 0) || 2 * half > max_degrees) return null
  const [longitude, latitude] = [(west + east) / 2, (south + north) / 2]
  const exact = (u: number, v: number): PlanePoint => toPixels(longitude + u * half, latitude + v * half)
  const places = [-1, 0, 1].map((v) => [-1, 0, 1].map((u) => exact(u, v)))
  const [x, y] = [fit(places, 0), fit(places, 1)]
  for (const v of checkedOffsets)
    for (const u of checkedOffsets) {
      const [wantedX, wantedY] = exact(u, v)
      const off = Math.abs(valueAt(x, u, v) - wantedX) + Math.abs(valueAt(y, u, v) - wantedY)
      if (!(off <= tolerance_pixels)) return null
    }
  return (atLongitude, atLatitude) => {
    const u = (atLongitude - longitude) / half
    const v = (atLatitude - latitude) / half
    return [valueAt(x, u, v), valueAt(y, u, v)]
  }
}

/** The polynomial through values at -1, 0 and 1 in both directions; `places` are rows of `v`. */
function fit(places: readonly (readonly PlanePoint[])[], axis: 0 | 1): Polynomial {
  const rows = places.map((row) => parabola(row[0]![axis], row[1]![axis], row[2]![axis]))
  const columns = [0, 1, 2].map((power) => parabola(rows[0]![power]!, rows[1]![power]!, rows[2]![power]!))
  return Float64Array.from(columns.flat())
}

const parabola = (below: number, middle: number, above: number): readonly number[] => [
  middle,
  (above - below) / 2,
  (above + below) / 2 - middle,
]

function valueAt(polynomial: Polynomial, u: number, v: number): number {
  const constant = polynomial[0]! + v * (polynomial[1]! + v * polynomial[2]!)
  const linear = polynomial[3]! + v * (polynomial[4]! + v * polynomial[5]!)
  return constant + u * (linear + u * (polynomial[6]! + v * (polynomial[7]! + v * polynomial[8]!)))
}
