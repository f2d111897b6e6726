import { applyAffine, type Affine } from '@swath/geo/affine.ts'

/** The same grid counted from another pixel. */
export function shiftAffineToPixel(affine: Affine, column: number, row: number): Affine {
  const [x, y] = applyAffine(affine, column, row)
  return [x, affine[1], affine[2], y, affine[4], affine[5]]
}
