import { boxAround } from '@swath/geo/bbox.ts'
import { isInsideRing } from '@swath/geo/inside-ring.ts'
import { signedArea } from '@swath/geo/signed-area.ts'

type Ring = number[][]

interface Boxed {
  readonly ring: Ring
  readonly box: readonly [number, number, number, number]
  readonly area: number
}

/**
 * Assembles the rings of one shape to polygons: outer rings run clockwise in shapefiles, holes counterclockwise, in no
 * reliable order. A hole belongs to the smallest outer ring that contains it, and is a polygon of its own if there is none.
 */
export function polygonsOfRings(rings: readonly Ring[]): Ring[][] {
  const boxed = rings.filter((ring) => ring.length >= 3).map(measure)
  const outers = boxed.filter(({ area }) => area <= 0)
  const holes = boxed.filter(({ area }) => area > 0)
  if (outers.length === 0) return holes.map(({ ring }) => [ring])
  if (outers.length === 1 && holes.every((hole) => boxHolds(outers[0]!, hole))) {
    return [[outers[0]!.ring, ...holes.map(({ ring }) => ring)]]
  }
  const polygons = new Map(outers.map((outer): [Boxed, Ring[]] => [outer, [outer.ring]]))
  const bySize = outers.toSorted((a, b) => Math.abs(a.area) - Math.abs(b.area))
  for (const hole of holes) {
    const holder = bySize.find((outer) => boxHolds(outer, hole) && holds(outer.ring, hole.ring))
    if (holder) polygons.get(holder)!.push(hole.ring)
    else polygons.set(hole, [hole.ring])
  }
  return [...polygons.values()]
}

const measure = (ring: Ring): Boxed => ({ ring, box: boxAround(ring), area: signedArea(ring as [number, number][]) })

const boxHolds = ({ box: a }: Boxed, { box: b }: Boxed): boolean =>
  a[0] <= b[0] && a[1] <= b[1] && a[2] >= b[2] && a[3] >= b[3]

/** Decided by the first position that is not on the border. */
function holds(outer: Ring, hole: Ring): boolean {
  for (const [x, y] of hole as [number, number][]) {
    const side = isInsideRing(x, y, outer as [number, number][])
    if (side !== 'border') return side === 'inside'
  }
  return true
}
