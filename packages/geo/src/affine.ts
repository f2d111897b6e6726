/** Six numbers that map a pixel corner (column, row) to the world: x = a + b·column + c·row, y = d + e·column + f·row (the order of GDAL's geotransform). */
export type Affine = readonly [a: number, b: number, c: number, d: number, e: number, f: number]

/** World position of a pixel position; whole numbers are pixel corners, +0.5 is a centre. */
export function applyAffine(affine: Affine, column: number, row: number): [x: number, y: number] {
  const [a, b, c, d, e, f] = affine
  return [a + b * column + c * row, d + e * column + f * row]
}

/** The inverse mapping, or null for a grid that has collapsed to a line. */
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

/** The same grid seen at another resolution: one new pixel is `columns` × `rows` old ones. */
export function scaleAffine(affine: Affine, columns: number, rows: number): Affine {
  const [a, b, c, d, e, f] = affine
  return [a, b * columns, c * rows, d, e * columns, f * rows]
}
