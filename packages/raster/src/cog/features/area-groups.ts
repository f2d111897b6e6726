import type { BoundaryVertex } from './boundary-vertices.ts'

/** The rings of an area whose last pixel was seen. */
export interface CompletedAreaRings {
  readonly value: number
  /** The first of a list (`BoundaryVertices.mates`). */
  readonly rings: BoundaryVertex
}

/** Areas that touch at corners: one feature, if these connect. */
export interface TouchingAreaGroup {
  parent: TouchingAreaGroup | null
  /** Areas that are not complete. */
  open: number
  parts: CompletedAreaRings[]
}

export const createTouchingAreaGroup = (): TouchingAreaGroup => ({ parent: null, open: 1, parts: [] })

export function findRootTouchingAreaGroup(group: TouchingAreaGroup): TouchingAreaGroup {
  let root = group
  while (root.parent) {
    if (root.parent.parent) root.parent = root.parent.parent
    root = root.parent
  }
  return root
}

/** Makes two groups one, the smaller one a part of the larger one; returns it. */
export function joinAreaGroups(one: TouchingAreaGroup, other: TouchingAreaGroup): TouchingAreaGroup {
  const [first, second] = [findRootTouchingAreaGroup(one), findRootTouchingAreaGroup(other)]
  if (first === second) return first
  const [larger, smaller] = first.parts.length >= second.parts.length ? [first, second] : [second, first]
  smaller.parent = larger
  larger.open += smaller.open
  for (const part of smaller.parts) larger.parts.push(part)
  smaller.parts = []
  return larger
}
