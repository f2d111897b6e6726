import type { PositionGrid } from '../../src/compute/kernels/types.ts'

/** The positions of one row of pixels (or corners). */
export interface PositionRow {
  readonly x: Float64Array
  readonly y: Float64Array
}

export function createRow(count: number): PositionRow {
  return { x: new Float64Array(count), y: new Float64Array(count) }
}

/** Fills in the positions of row `row`: linear in y, then linear in x between the nodes of the grid. */
export function locateRow(net: PositionGrid, row: number, into: PositionRow): void {
  fillAlong(net, net.x, row, into.x)
  fillAlong(net, net.y, row, into.y)
}

function fillAlong(
  { spacing, across, down }: PositionGrid,
  nodes: Float64Array,
  row: number,
  into: Float64Array,
): void {
  // Every node is a pixel's own: a neighbour that is NaN must not matter.
  if (spacing === 1) {
    into.set(nodes.subarray(row * across, row * across + into.length))
    return
  }
  const upper = Math.max(0, Math.min(Math.floor(row / spacing), down - 2))
  const lower = Math.min(upper + 1, down - 1)
  const part = (row - upper * spacing) / spacing
  const between = (column: number): number => {
    const above = nodes[upper * across + column]!
    return above + (nodes[lower * across + column]! - above) * part
  }
  for (let column = 0; column < into.length; column++) {
    const cell = Math.max(0, Math.min(Math.floor(column / spacing), across - 2))
    const left = between(cell)
    into[column] = left + ((between(Math.min(cell + 1, across - 1)) - left) / spacing) * (column - cell * spacing)
  }
}

const rounding_magic = 1.5 * 2 ** 20

/**
 * A position less `reach`, to the nearest 2^-32 of a pixel, so that one that misses an edge by the noise of rounding lies
 * on it (gdalwarp allows 1e-10). Exact up to 2^19, beyond which there are no pixels.
 */
export function settle(position: number, reach = 0): number {
  return position + rounding_magic - reach - rounding_magic
}
