import type { Trapezoid } from './area.ts'
import type { Position } from './geojson.ts'
import { locatePointInRing } from './point-in-ring.ts'
import { computeSignedPlanarArea } from './signed-area.ts'

type Point2D = readonly [x: number, y: number]
interface Segment {
  readonly from: Point2D
  readonly to: Point2D
}

/**
 * Joins trapezoids that share sides into polygons: outer ring first, counterclockwise, then its holes. Sides along a
 * parallel that two trapezoids share cancel; the remaining segments are followed from end to end.
 */
export function joinTrapezoids(pieces: readonly Trapezoid[]): Position[][][] {
  const segments = [...pieces.flatMap(sideSegments), ...parallelSegments(pieces)]
  const rings = followSegments(segments)
    .map(simplifyRing)
    .filter((ring) => ring.length >= 4)
  const outers = rings.filter((ring) => computeSignedPlanarArea(ring) > 0)
  const polygons = outers.map((ring): Point2D[][] => [ring])
  for (const hole of rings.filter((ring) => computeSignedPlanarArea(ring) < 0)) {
    const container = polygons
      .filter(([outer]) => containsHole(outer!, hole))
      .sort(([p], [q]) => Math.abs(computeSignedPlanarArea(p!)) - Math.abs(computeSignedPlanarArea(q!)))[0]
    container?.push(hole)
  }
  return polygons.map((polygon) => polygon.map((ring) => ring.map(([x, y]): Position => [x, y])))
}

// Counterclockwise: up the east side, down the west side.
function sideSegments({ south, north, west, east }: Trapezoid): Segment[] {
  return [
    { from: [east[0], south], to: [east[1], north] },
    { from: [west[1], north], to: [west[0], south] },
  ]
}

/**
 * Along each parallel a trapezoid contributes its southern side eastward and its northern side westward. Where both
 * overlap they cancel; the rest is boundary. (Rounding may reverse a side of no width: the sums stay correct.)
 */
function parallelSegments(pieces: readonly Trapezoid[]): Segment[] {
  const marks = new Map<number, ParallelEndpoint[]>()
  const mark = (latitude: number, x: number, eastward: number): void => {
    const list = marks.get(latitude)
    if (list) list.push({ x, eastward })
    else marks.set(latitude, [{ x, eastward }])
  }
  for (const { south, north, west, east } of pieces) {
    mark(south, west[0], 1)
    mark(south, east[0], -1)
    mark(north, west[1], -1)
    mark(north, east[1], 1)
  }
  return [...marks].flatMap(([latitude, list]) => boundarySegments(latitude, list))
}

interface ParallelEndpoint {
  readonly x: number
  readonly eastward: number
}

function boundarySegments(latitude: number, list: ParallelEndpoint[]): Segment[] {
  list.sort((p, q) => p.x - q.x)
  const segments: Segment[] = []
  let eastward = 0
  for (const [at, entry] of list.entries()) {
    eastward += entry.eastward
    const next = list[at + 1]
    if (!next || next.x === entry.x || eastward === 0) continue
    const [west, east]: [Point2D, Point2D] = [
      [entry.x, latitude],
      [next.x, latitude],
    ]
    const segment = eastward > 0 ? { from: west, to: east } : { from: east, to: west }
    for (let count = Math.abs(eastward); count > 0; count--) segments.push(segment)
  }
  return segments
}

function followSegments(segments: readonly Segment[]): Point2D[][] {
  const starts = new Map<string, Segment[]>()
  for (const segment of segments) {
    if (pointKey(segment.from) === pointKey(segment.to)) continue
    const list = starts.get(pointKey(segment.from))
    if (list) list.push(segment)
    else starts.set(pointKey(segment.from), [segment])
  }
  const rings: Point2D[][] = []
  for (const list of starts.values()) {
    while (list.length > 0) {
      const ring = followFrom(list.pop()!, starts)
      if (ring) rings.push(ring)
    }
  }
  return rings
}

// A point in which rings touch has several successors: the sharpest left turn keeps the rings separate.
function followFrom(first: Segment, starts: Map<string, Segment[]>): Point2D[] | null {
  const ring: Point2D[] = [first.from]
  let current = first
  while (pointKey(current.to) !== pointKey(first.from)) {
    const successors = starts.get(pointKey(current.to))
    if (!successors || successors.length === 0) return null
    successors.sort((p, q) => turnAngle(current, q) - turnAngle(current, p))
    ring.push(current.to)
    current = successors.shift()!
  }
  return [...ring, first.from]
}

function turnAngle(before: Segment, after: Segment): number {
  const [ax, ay] = [before.to[0] - before.from[0], before.to[1] - before.from[1]]
  const [bx, by] = [after.to[0] - after.from[0], after.to[1] - after.from[1]]
  return Math.atan2(ax * by - ay * bx, ax * bx + ay * by)
}

/** Snapping tolerance in degrees, a tenth of a millimetre on the ground. */
const snap_degrees = 1e-9

/**
 * Snaps positions that differ by rounding errors, and removes those on the line between their neighbours. One after the other:
 * of two positions close to each other at a corner, each lies on a line with the other.
 */
function simplifyRing(ring: readonly Point2D[]): Point2D[] {
  const kept: Point2D[] = []
  for (const [x, y] of ring.slice(0, -1)) {
    const point: Point2D = [snap(x), snap(y)]
    while (kept.length >= 2 && isOnLine(kept.at(-1)!, kept.at(-2)!, point)) kept.pop()
    if (kept.length === 0 || !isSame(kept.at(-1)!, point)) kept.push(point)
  }
  while (kept.length >= 3) {
    if (isOnLine(kept.at(-1)!, kept.at(-2)!, kept[0]!)) kept.pop()
    else if (isOnLine(kept[0]!, kept.at(-1)!, kept[1]!)) kept.shift()
    else return [...kept, kept[0]!]
  }
  return []
}

/** True for a point that lies on the line from one position to another, or is the end of a spike. */
function isOnLine(point: Point2D, before: Point2D, after: Point2D): boolean {
  const [ax, ay] = [point[0] - before[0], point[1] - before[1]]
  const [bx, by] = [after[0] - point[0], after[1] - point[1]]
  return Math.abs(ax * by - ay * bx) <= snap_degrees * Math.hypot(ax + bx, ay + by)
}

function snap(degrees: number): number {
  return Math.round(degrees * 1e9) / 1e9
}

function isSame(a: Point2D, b: Point2D): boolean {
  return a[0] === b[0] && a[1] === b[1]
}

function containsHole(outer: readonly Point2D[], hole: readonly Point2D[]): boolean {
  return hole.map(([x, y]) => locatePointInRing(x, y, outer)).find((side) => side !== 'border') !== 'outside'
}

function pointKey([x, y]: Point2D): string {
  return `${x},${y}`
}
