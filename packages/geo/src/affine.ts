/**
 * Six coefficients, in the order of GDAL's geotransform, that map a pixel corner (column, row) to coordinates:
 * x = a + b·column + c·row, y = d + e·column + f·row.
 */
export type Affine = readonly [a: number, b: number, c: number, d: number, e: number, f: number]

/** The coordinates of a pixel position; integers are pixel corners, +0.5 is the centre of a pixel. */
export function applyAffine(affine: Affine, column: number, row: number): [x: number, y: number] {
  const [a, b, c, d, e, f] = affine
  return [a + b * column + c * row, d + e * column + f * row]
}

/** False for a position that a projection has no answer for. */
export const isPlace = ([x, y]: readonly [x: number, y: number]): boolean => Number.isFinite(x) && Number.isFinite(y)

/** The inverse, or null if the matrix is singular. */
export function invertAffine(affine: Affine): Affine | null {
  const [a, b, c, d, e, f] = affine
  const determinant = b * f - c * e
  if (!Number.isFinite(determinant) || determinant === 0) return null
  const ib = f / determinant
  const ic = -c / determinant
  const ie = -e / determinant
  const jf = b / determinant
  return [-(a * ib + d * ic), ib, ic, -(a * ie + d * jf), ie, jf]
}

/** The same grid at another resolution: one new pixel covers `columns` × `rows` old ones. */
export function scaleAffine(affine: Affine, columns: number, rows: number): Affine {
  const [a, b, c, d, e, f] = affine
  return [a, b * columns, c * rows, d, e * columns, f * rows]
}
