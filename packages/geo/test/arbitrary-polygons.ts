import fc from 'fast-check'
import type { Polygon } from '../src/geojson.ts'

export interface Star {
  readonly center: readonly [longitude: number, latitude: number]
  /** Distances of the corners from the center in degrees, in equal angles. */
  readonly reaches: readonly number[]
}

/** The polygon of a star, larger or smaller around its center by a factor. */
export const toPolygon = ({ center: [x, y], reaches }: Star, scale = 1): Polygon => {
  const ring = reaches.map((reach, at): [number, number] => {
    const angle = (2 * Math.PI * at) / reaches.length
    return [x + scale * reach * Math.cos(angle), y + scale * reach * Math.sin(angle)]
  })
  return { type: 'Polygon', coordinates: [[...ring, ring[0]!]] }
}

/** A number of a range. */
export const inside = (min: number, max: number): fc.Arbitrary<number> => fc.double({ min, max, noNaN: true })

/** A polygon, mostly concave, that has its center in sight of all corners. */
export const star: fc.Arbitrary<Star> = fc
  .tuple(inside(-150, 150), inside(-70, 70), inside(-2, 0.7), fc.array(inside(0.3, 1), { minLength: 3, maxLength: 12 }))
  .map(([x, y, size, reaches]) => ({ center: [x, y], reaches: reaches.map((reach) => reach * 10 ** size) }))

/** A star, and another whose center lies beside its own. */
export const neighbours: fc.Arbitrary<readonly [Star, Star]> = fc
  .tuple(star, star, inside(-1.5, 1.5), inside(-1.5, 1.5))
  .map(([first, other, x, y]) => {
    const size = Math.max(...first.reaches)
    const [longitude, latitude] = first.center
    const scale = (2 * size) / Math.max(...other.reaches)
    return [
      first,
      { center: [longitude + x * size, latitude + y * size], reaches: other.reaches.map((reach) => reach * scale) },
    ]
  })
