import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { geometryArea_km2 } from './area.ts'
import { boundsToPolygon, geometryBounds } from './bbox.ts'
import { validateAreaGeometry } from './validate-area.ts'
import type { AreaGeometry, Polygon } from './geojson.ts'
import { intersectPolygons, overlapArea_km2 } from './polygon-clip.ts'
import { inside, neighbours, star, toPolygon } from '../test/arbitrary-polygons.ts'

const options = { numRuns: 10_000 }

/** The bounds of a polygon, each moved a share of its way to the edge of the globe; no edge becomes longer than half of it. */
function widen(polygon: Polygon, [west, south, east, north]: readonly [number, number, number, number]): AreaGeometry {
  const [x0, y0, x1, y1] = geometryBounds(polygon)
  const margin = (179.9 - (x1 - x0)) / 2
  return boundsToPolygon([
    Math.max(-180, x0 - margin * west),
    Math.max(-90, y0 - (90 + y0) * south),
    Math.min(180, x1 + margin * east),
    Math.min(90, y1 + (90 - y1) * north),
  ])
}

const share = inside(0, 1)
const shares = fc.tuple(share, share, share, share)

test('an area that contains a footprint shares exactly the footprint with it, however large it is', () => {
  fc.assert(
    fc.property(star, shares, inside(1.001, 3), (footprint, margins, scale) => {
      const polygon = toPolygon(footprint)
      const whole_km2 = geometryArea_km2(polygon)
      for (const area of [widen(polygon, margins), toPolygon(footprint, scale)]) {
        assert.equal(validateAreaGeometry(area).error, null)
        assert.equal(overlapArea_km2(area, polygon), whole_km2)
      }
    }),
    options,
  )
})

test('the overlap of two polygons is symmetric, and the area of their intersection', () => {
  fc.assert(
    fc.property(neighbours, ([one, other]) => {
      const [a, b] = [toPolygon(one), toPolygon(other)]
      const overlap_km2 = overlapArea_km2(a, b)
      const size_km2 = Math.max(geometryArea_km2(a), geometryArea_km2(b))
      assert.ok(Math.abs(overlapArea_km2(b, a) - overlap_km2) <= 1e-9 * size_km2)
      const shared = intersectPolygons(a, b, Infinity)
      const shared_km2 = shared ? geometryArea_km2(shared) : 0
      // The positions of an intersection are rounded to a tenth of a millimetre, which moves its border.
      const rounding_km2 = 1e-6 * overlap_km2 + 1e-6 * Math.sqrt(size_km2)
      assert.ok(Math.abs(shared_km2 - overlap_km2) <= rounding_km2, `${shared_km2} is not ${overlap_km2}`)
    }),
    options,
  )
})

test('a larger area never shares less with a footprint, and never more than the footprint has', () => {
  fc.assert(
    fc.property(neighbours, inside(1, 3), shares, ([one, other], scale, margins) => {
      const footprint = toPolygon(one)
      const areas = [toPolygon(other), toPolygon(other, scale), widen(toPolygon(other, scale), margins)]
      const overlaps = areas.map((area) => overlapArea_km2(area, footprint))
      const whole_km2 = geometryArea_km2(footprint)
      for (const [at, overlap_km2] of overlaps.entries()) {
        assert.ok(overlap_km2 >= (overlaps[at - 1] ?? 0) - 1e-9 * whole_km2, overlaps.join(', '))
        assert.ok(overlap_km2 <= whole_km2)
      }
    }),
    options,
  )
})
