import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { geometryArea_km2 } from '@swath/geo/area.ts'
import { inside, neighbours, toPolygon } from '../../../packages/geo/test/arbitrary-polygons.ts'
import { calculateCharge, intersectionAreaKm2 } from '../../../packages/server/src/domains/catalog/price.ts'
import { measureDeliveredCoverage } from '../../../packages/server/src/domains/vectors/vector-worker/measure-coverage.ts'

test('what is delivered of a scene has the area that was priced, within a thousandth', () => {
  fc.assert(
    fc.property(neighbours, inside(1, 3), ([one, other], scale) => {
      const [footprint, area] = [toPolygon(one), toPolygon(other, scale)]
      const priced_km2 = calculateCharge(null, intersectionAreaKm2(area, footprint)).charged_km2
      const { covered, remainder } = measureDeliveredCoverage([{ area, footprint, isDelivered: true }])
      // Priced areas are rounded to a hundred square metres; the positions of what is delivered, to a tenth of a millimetre.
      const rounding_km2 = 5e-5 + 1e-6 * Math.sqrt(geometryArea_km2(footprint))
      assert.ok(
        Math.abs(covered.km2 - priced_km2) <= 1e-3 * priced_km2 + rounding_km2,
        `${covered.km2} of ${priced_km2}`,
      )
      assert.equal(remainder.geometry, null)
    }),
    { numRuns: 10_000 },
  )
})
