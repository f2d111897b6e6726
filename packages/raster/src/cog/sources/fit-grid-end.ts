import type { PlanePosition, ProjectedRaster } from '../../formats/crs/projected-extent.ts'

interface GridCorner {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** By how much of a pixel a grid is narrowed at most, over all of its width. */
const narrowings = [0, 0.001, 0.01, 0.1, 1] as const
const steps = 20

/** A step with which the right edge of a grid is not wholly beyond the raster, as GDALSuggestedWarpOutput2 narrows it. */
export function fitLastColumn(
  projected: ProjectedRaster,
  { left, top, width, height }: GridCorner,
  step: number,
): number {
  return narrow(projected, step, width, (stepX) =>
    listParts().map((part) => [left + width * stepX, top - part * height * step, stepX, step]),
  )
}

/** The same of the bottom edge. */
export function fitLastRow(
  projected: ProjectedRaster,
  { left, top, width, height }: GridCorner,
  [stepX, step]: readonly [number, number],
): number {
  return narrow(projected, step, height, (stepY) =>
    listParts().map((part) => [left + part * width * stepX, top - height * stepY, stepX, stepY]),
  )
}

const listParts = (): number[] => Array.from({ length: steps + 1 }, (_, at) => at / steps)

type Tried = readonly [x: number, y: number, stepX: number, stepY: number]

function narrow(
  projected: ProjectedRaster,
  step: number,
  pixels: number,
  edgeOf: (step: number) => readonly Tried[],
): number {
  const tried = narrowings.map((part) => step - (step * part) / pixels)
  return tried.find((narrowed) => edgeOf(narrowed).some((place) => isConfirmed(projected, place))) ?? step
}

/** True if a place is where the projection and its inverse put it, to a pixel. */
export function isConfirmed({ toPixel, toTarget }: ProjectedRaster, [x, y, stepX, stepY]: Tried): boolean {
  const [backX, backY]: PlanePosition = toTarget(...toPixel(x, y))
  return Math.abs(backX - x) <= stepX && Math.abs(backY - y) <= stepY
}
