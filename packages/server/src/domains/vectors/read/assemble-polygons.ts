import { coordinateExtent } from '@swath/geo/bbox.ts'
import { locatePointInRing } from '@swath/geo/point-in-ring.ts'
import { signedArea } from '@swath/geo/signed-area.ts'

type Ring = number[][]

interface MeasuredRing {
  readonly ring: Ring
  readonly box: readonly [number, number, number, number]
  readonly area: number
}

/**
 * Assembles the rings of one shape to polygons: outer rings run clockwise in shapefiles, holes counterclockwise, in no
 * reliable order. A hole belongs to the smallest outer ring that contains it, and is a polygon of its own if there is none.
 */
export function assemblePolygons(rings: readonly Ring[]): Ring[][] {
  const measured = rings.filter((ring) => ring.length >= 3).map(measureRing)
  const outers = measured.filter(({ area }) => area <= 0)
  const holes = measured.filter(({ area }) => area > 0)
  if (outers.length === 0) return holes.map(({ ring }) => [ring])
  if (outers.length === 1 && holes.every((hole) => boxContains(outers[0]!, hole))) {
    return [[outers[0]!.ring, ...holes.map(({ ring }) => ring)]]
  }
  const polygons = new Map(outers.map((outer): [MeasuredRing, Ring[]] => [outer, [outer.ring]]))
  const bySize = outers.toSorted((a, b) => Math.abs(a.area) - Math.abs(b.area))
  for (const hole of holes) {
    const container = bySize.find((outer) => boxContains(outer, hole) && ringContains(outer.ring, hole.ring))
    if (container) polygons.get(container)!.push(hole.ring)
    else polygons.set(hole, [hole.ring])
  }
  return [...polygons.values()]
}

const measureRing = (ring: Ring): MeasuredRing => ({
  ring,
  box: coordinateExtent(ring),
  area: signedArea(ring as [number, number][]),
})

const boxContains = ({ box: a }: MeasuredRing, { box: b }: MeasuredRing): boolean =>
  a[0] <= b[0] && a[1] <= b[1] && a[2] >= b[2] && a[3] >= b[3]

/** Decided by the first position that is not on the border. */
function ringContains(outer: Ring, hole: Ring): boolean {
  for (const [x, y] of hole as [number, number][]) {
    const side = locatePointInRing(x, y, outer as [number, number][])
    if (side !== 'border') return side === 'inside'
  }
  return true
}
