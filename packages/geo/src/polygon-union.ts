import { coordinateExtent, isExtentWithin } from './coordinate-extent.ts'
import { findEdgeCrossing } from './crossings.ts'
import { listPolygonRings } from './geojson.ts'
import type { AreaGeometry, Ring } from './geojson.ts'
import { locatePointInRing } from './point-in-ring.ts'
import { overlayPolygons } from './polygon-clip.ts'
import { TooManyEdgesError, requireSteps } from './slabs.ts'
import { createStepBudget, type StepBudget } from './step-budget.ts'
import type { Bounds } from './tile-grid.ts'

/** A polygon of a geometry. */
interface Part {
  readonly rings: readonly Ring[]
  readonly extent: Bounds
}

/**
 * A geometry whose polygons have nothing in common: those that overlap, or share edges, are united. One whose polygons do not is
 * returned as it is. Everything that measures, cuts or draws an area goes by this rule.
 *
 * @throws TooManyEdgesError if it takes more steps than the budget has.
 */
export function unitePolygonParts(geometry: AreaGeometry, budget: StepBudget = createStepBudget()): AreaGeometry {
  if (geometry.type === 'Polygon' || geometry.coordinates.length < 2) return geometry
  const parts = geometry.coordinates.map((rings): Part => ({ rings, extent: coordinateExtent(rings[0]!) }))
  const clusters = groupNeighbours(parts, budget)
  if (clusters.every((cluster) => cluster.length === 1)) return geometry
  let isUnited = false
  const polygons = clusters.flatMap((cluster) => {
    if (!haveCommonParts(cluster, budget)) return cluster.map(({ rings }) => rings)
    isUnited = true
    const single = cluster.map(({ rings }): AreaGeometry => ({ type: 'Polygon', coordinates: rings }))
    const united = overlayPolygons(single, (present) => present.includes(true), budget)
    return united ? listPolygonRings(united) : []
  })
  return isUnited ? { type: 'MultiPolygon', coordinates: polygons } : geometry
}

/** Parts whose boxes touch, directly or through others. */
function groupNeighbours(parts: readonly Part[], budget: StepBudget): Part[][] {
  const cluster = new Map(parts.map((part) => [part, [part]]))
  let active: Part[] = []
  for (const part of parts.toSorted((a, b) => a.extent[0] - b.extent[0])) {
    const { extent } = part
    active = active.filter((other) => other.extent[2] >= extent[0])
    requireSteps(budget, active.length)
    for (const other of active) {
      if (other.extent[3] < extent[1] || other.extent[1] > extent[3]) continue
      const [own, joined] = [cluster.get(part)!, cluster.get(other)!]
      if (own === joined) continue
      joined.push(...own)
      for (const member of own) cluster.set(member, joined)
    }
    active.push(part)
  }
  return [...new Set(cluster.values())]
}

function haveCommonParts(cluster: readonly Part[], budget: StepBudget): boolean {
  if (cluster.length === 1) return false
  const rings = cluster.flatMap((part) => part.rings.map((positions) => ({ positions })))
  const crossing = findEdgeCrossing(rings, budget)
  if (crossing === 'too-complex') throw new TooManyEdgesError()
  if (crossing !== null) return true
  return cluster.some((inner) => cluster.some((outer) => inner !== outer && isWithin(inner, outer, budget)))
}

/** Whether a part lies in another whose edges it does not cross: a position that is not on its border decides. */
function isWithin({ rings: [outline], extent }: Part, outer: Part, budget: StepBudget): boolean {
  requireSteps(budget, 1)
  if (!isExtentWithin(extent, outer.extent)) return false
  const steps = outer.rings.reduce((sum, ring) => sum + ring.length, 0)
  for (const [x, y] of outline!) {
    requireSteps(budget, steps)
    const sides = outer.rings.map((ring) => locatePointInRing(x, y, ring))
    if (sides.includes('border')) continue
    return sides.filter((side) => side === 'inside').length % 2 === 1
  }
  return true
}
