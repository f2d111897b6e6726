import {
  joinTouchingRegionGroups,
  createTouchingRegionGroup,
  findRootTouchingRegionGroup,
  type TouchingRegionGroup,
  type PolygonizedRegionRings,
} from './touching-regions.ts'
import { no_boundary_vertex, type BoundaryVertices, type BoundaryVertex } from './boundary-vertices.ts'

/** An area of pixels of one value that are connected by their sides, by its number; -1 where there is no value. */
export type PixelAreaId = number
export const no_pixel_area = -1

/** Numbers the areas of an image row by row, as a disjoint-set forest of those that reach the last row. */
export interface ConnectedPixelAreas {
  readonly width: number
  /** 8: areas that touch at a corner are passed on together, once all of them are complete. */
  readonly connectedness: 4 | 8
  readonly vertices: BoundaryVertices
  /** Called with the areas of one feature. */
  readonly give: (areas: readonly PolygonizedRegionRings[]) => void
  /** The areas of the last two rows, with a pixel outside of the image on both sides. */
  above: Int32Array
  below: Int32Array
  readonly valuesAbove: Float64Array
  row: number
  // Facts by number of the area.
  readonly parents: PixelAreaId[]
  readonly values: number[]
  readonly firstRings: BoundaryVertex[]
  readonly lastRings: BoundaryVertex[]
  readonly lastRows: number[]
  readonly groups: (TouchingRegionGroup | null)[]
  readonly freeNumbers: PixelAreaId[]
  /** Numbers that became part of another area in this row. */
  merged: PixelAreaId[]
}

export const createConnectedPixelAreas = (
  options: Pick<ConnectedPixelAreas, 'width' | 'connectedness' | 'vertices' | 'give'>,
): ConnectedPixelAreas => ({
  ...options,
  above: new Int32Array(options.width + 2).fill(no_pixel_area),
  below: new Int32Array(options.width + 2).fill(no_pixel_area),
  valuesAbove: new Float64Array(options.width).fill(Number.NaN),
  row: 0,
  parents: [],
  values: [],
  firstRings: [],
  lastRings: [],
  lastRows: [],
  groups: [],
  freeNumbers: [],
  merged: [],
})

/** Numbers the pixels of the next row, `below`, and gives those of the row above it the numbers that they have by now. */
export function numberPixelAreasOfRow(areas: ConnectedPixelAreas, values: Float64Array): void {
  const { width, valuesAbove, lastRows } = areas
  const [above, below] = [areas.below, areas.above]
  ;[areas.above, areas.below] = [above, below]
  areas.row++
  for (let x = 0; x < width; x++) {
    const value = values[x]!
    // Only NaN differs from itself.
    if (value !== value) {
      below[x + 1] = no_pixel_area
      continue
    }
    const left = x > 0 && values[x - 1] === value ? below[x]! : no_pixel_area
    const upper = valuesAbove[x] === value ? above[x + 1]! : no_pixel_area
    if (left === no_pixel_area) below[x + 1] = upper === no_pixel_area ? createArea(areas, value) : upper
    else below[x + 1] = upper === no_pixel_area || upper === left ? left : mergeAreas(areas, left, upper)
    if (areas.connectedness === 8) connectCorners(areas, x, value)
  }
  valuesAbove.set(values)
  for (let x = 1; x <= width; x++) {
    if (above[x] !== no_pixel_area) above[x] = rootOf(areas, above[x]!)
    if (below[x] === no_pixel_area) continue
    below[x] = rootOf(areas, below[x]!)
    lastRows[below[x]!] = areas.row
  }
}

function rootOf({ parents }: ConnectedPixelAreas, area: PixelAreaId): PixelAreaId {
  let root = area
  while (parents[root] !== root) {
    parents[root] = parents[parents[root]!]!
    root = parents[root]!
  }
  return root
}

function createArea(areas: ConnectedPixelAreas, value: number): PixelAreaId {
  const area = areas.freeNumbers.pop() ?? areas.parents.length
  areas.parents[area] = area
  areas.values[area] = value
  areas.firstRings[area] = areas.lastRings[area] = no_boundary_vertex
  areas.lastRows[area] = areas.row
  areas.groups[area] = areas.connectedness === 8 ? createTouchingRegionGroup() : null
  return area
}

/** Makes two areas one; returns its number. */
function mergeAreas(areas: ConnectedPixelAreas, first: PixelAreaId, second: PixelAreaId): PixelAreaId {
  const [one, other] = [rootOf(areas, first), rootOf(areas, second)]
  if (one === other) return one
  const { parents, groups, firstRings, lastRings, merged, vertices } = areas
  if (groups[one] && groups[other]) joinTouchingRegionGroups(groups[one], groups[other]).open--
  parents[other] = one
  merged.push(other)
  if (firstRings[other] === no_boundary_vertex) return one
  if (firstRings[one] === no_boundary_vertex) firstRings[one] = firstRings[other]!
  else vertices.mates[lastRings[one]!] = firstRings[other]!
  lastRings[one] = lastRings[other]!
  return one
}

function connectCorners(areas: ConnectedPixelAreas, x: number, value: number): void {
  const { above, below, valuesAbove, width, groups } = areas
  const groupOf = (area: PixelAreaId): TouchingRegionGroup => groups[rootOf(areas, area)]!
  const own = groupOf(below[x + 1]!)
  if (x > 0 && valuesAbove[x - 1] === value) joinTouchingRegionGroups(own, groupOf(above[x]!))
  if (x + 1 < width && valuesAbove[x + 1] === value) joinTouchingRegionGroups(own, groupOf(above[x + 2]!))
}

/** Adds a closed boundary to an area. */
export function addAreaRing(
  { vertices, firstRings, lastRings }: ConnectedPixelAreas,
  area: PixelAreaId,
  ring: BoundaryVertex,
): void {
  vertices.mates[ring] = no_boundary_vertex
  if (firstRings[area] === no_boundary_vertex) firstRings[area] = ring
  else vertices.mates[lastRings[area]!] = ring
  lastRings[area] = ring
}

/** Gives the areas that do not reach the last row, each with those that its corners connect it to. */
export function completePixelAreasOfRow(areas: ConnectedPixelAreas): void {
  const { width, above, lastRows, row, groups, freeNumbers } = areas
  for (let x = 1; x <= width; x++) {
    const area = above[x]!
    if (area === no_pixel_area || lastRows[area] === row) continue
    // Once only, whatever the number of its pixels.
    lastRows[area] = row
    completeArea(areas, area)
  }
  for (const area of areas.merged) {
    groups[area] = null
    freeNumbers.push(area)
  }
  areas.merged = []
}

function completeArea({ values, firstRings, groups, freeNumbers, give }: ConnectedPixelAreas, area: PixelAreaId): void {
  const part = { value: values[area]!, rings: firstRings[area]! }
  const group = groups[area] && findRootTouchingRegionGroup(groups[area])
  groups[area] = null
  freeNumbers.push(area)
  if (!group) return give([part])
  group.parts.push(part)
  if (--group.open === 0) give(group.parts)
}
