/** A position in a plane. */
export type PlanarPosition = readonly [x: number, y: number]

/** Top left, top right, bottom right and bottom left. */
export type QuadCorners = readonly [PlanarPosition, PlanarPosition, PlanarPosition, PlanarPosition]

/**
 * Maps a position to fractions of a quadrilateral: [0, 0] is its top left corner, [1, 1] its bottom right one; others are
 * outside. Null for a quadrilateral without an inside, such as one whose corners are on a line.
 *
 * It is the projective map through the four corners (P. Heckbert, "Fundamentals of Texture Mapping and Image Warping", 1989,
 * section 2.2.3), inverted: exact at the corners, straight lines stay straight, and affine for a parallelogram.
 */
export function mapToQuadFractions(corners: QuadCorners): ((x: number, y: number) => PlanarPosition) | null {
  const [[x0, y0], [x1, y1], [x2, y2], [x3, y3]] = corners
  const [dx1, dx2, sx] = [x1 - x2, x3 - x2, x0 - x1 + x2 - x3]
  const [dy1, dy2, sy] = [y1 - y2, y3 - y2, y0 - y1 + y2 - y3]
  const determinant = dx1 * dy2 - dx2 * dy1
  if (!Number.isFinite(determinant) || determinant === 0) return null
  const g = (sx * dy2 - dx2 * sy) / determinant
  const h = (dx1 * sy - sx * dy1) / determinant
  // Fractions to positions: (a u + b v + c, d u + e v + f) / (g u + h v + 1).
  const [a, b, c] = [x1 - x0 + g * x1, x3 - x0 + h * x3, x0]
  const [d, e, f] = [y1 - y0 + g * y1, y3 - y0 + h * y3, y0]
  // The adjugate of that matrix maps positions back, up to a factor that the division removes.
  const back = [e - f * h, c * h - b, b * f - c * e, f * g - d, a - c * g, c * d - a * f, d * h - e * g, b * g - a * h]
  const scale = a * e - b * d
  if (scale === 0) return null
  return (x, y) => {
    const divisor = back[6]! * x + back[7]! * y + scale
    return [(back[0]! * x + back[1]! * y + back[2]!) / divisor, (back[3]! * x + back[4]! * y + back[5]!) / divisor]
  }
}
