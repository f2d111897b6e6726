import type { Drawing } from './canvas.ts'

// A position that is a hair left of a pixel's edge by rounding belongs to that pixel; gdalwarp uses the same hair.
const HAIR = 1e-10

/** Takes the pixel that each position falls into. */
export function drawNearest(drawing: Drawing): void {
  const { source, canvas, part, positions } = drawing
  const size = canvas.width * canvas.height
  const sourceSize = source.width * source.height
  for (let row = 0; row < positions.rows; row++) {
    for (let column = 0; column < positions.columns; column++) {
      const from = pixelUnder(drawing, row * positions.columns + column)
      if (from < 0 || source.mask[from] === 0) continue
      const to = (part.top + row) * canvas.width + part.left + column
      canvas.mask[to] = 255
      for (let band = 0; band < canvas.bands; band++) {
        canvas.data[band * size + to] = source.data[band * sourceSize + from]!
      }
    }
  }
}

/** Index of the source pixel under a node, or -1 where there is none. The far edge still belongs to the last pixel. */
export function pixelUnder({ positions, source, origin, levelSize }: Drawing, node: number): number {
  const x = positions.x[node]!
  const y = positions.y[node]!
  // NaN fails these comparisons as well.
  if (!(x >= 0 && y >= 0 && x + HAIR <= levelSize[0] && y + HAIR <= levelSize[1])) return -1
  const column = Math.min(levelSize[0] - 1, Math.floor(x + HAIR)) - origin[0]
  const line = Math.min(levelSize[1] - 1, Math.floor(y + HAIR)) - origin[1]
  if (column < 0 || line < 0 || column >= source.width || line >= source.height) return -1
  return line * source.width + column
}
