import type { BoundaryVertex } from './boundary-vertices.ts'

/** The rings of a region whose last pixel was seen. */
export interface PolygonizedRegionRings {
  readonly value: number
  /** The first of a list (`BoundaryVertices.mates`). */
  readonly rings: BoundaryVertex
}

/** Regions that touch at corners: one feature, if these connect. */
export interface TouchingRegionGroup {
  parent: TouchingRegionGroup | null
  /** Regions that are not complete. */
  open: number
  parts: PolygonizedRegionRings[]
}

export const createTouchingRegionGroup = (): TouchingRegionGroup => ({ parent: null, open: 1, parts: [] })

export function findRootTouchingRegionGroup(group: TouchingRegionGroup): TouchingRegionGroup {
  let root = group
  while (root.parent) {
    if (root.parent.parent) root.parent = root.parent.parent
    root = root.parent
  }
  return root
}

/** Makes two groups one, the smaller one a part of the larger one; returns it. */
export function joinTouchingRegionGroups(one: TouchingRegionGroup, other: TouchingRegionGroup): TouchingRegionGroup {
  const [first, second] = [findRootTouchingRegionGroup(one), findRootTouchingRegionGroup(other)]
  if (first === second) return first
  const [larger, smaller] = first.parts.length >= second.parts.length ? [first, second] : [second, first]
  smaller.parent = larger
  larger.open += smaller.open
  for (const part of smaller.parts) larger.parts.push(part)
  smaller.parts = []
  return larger
}
