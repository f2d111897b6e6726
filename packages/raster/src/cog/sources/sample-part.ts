import { isPlace } from '@swath/geo/affine.ts'
import type { PlanePosition, ProjectedRaster } from '../../formats/crs/projected-extent.ts'

/** Pixels of the source from one place to the next that are looked up along its edge, and how many steps at most. */
const step_pixels = 50
const stepLimits = { least: 20, most: 100 }
/** Halvings of a step in search of the place where a projection ends, or leaps. */
const max_halvings = 16

/** Places of a part of a raster in another reference system. */
export interface SampledPart {
  /** Where they were found, in any order. */
  readonly found: readonly PlanePosition[]
  /** Of its upper left and its lower right corner; NaN where there is none. */
  readonly first: PlanePosition
  readonly last: PlanePosition
}

interface Sample {
  /** In pixels of the raster. */
  readonly pixel: PlanePosition
  readonly place: PlanePosition
}

/**
 * Looks up a part of a raster in another reference system as GDALSuggestedWarpOutput2 does: along its edge, or all over it where
 * part of the edge has no place or does not come back from its own.
 */
export function samplePart(projected: ProjectedRaster): SampledPart {
  const { left, top, right, bottom } = projected.part
  const [width, height] = [right - left, bottom - top]
  const steps = Math.min(
    stepLimits.most,
    Math.max(stepLimits.least, Math.floor(Math.min(width, height) / step_pixels + 0.5)),
  )
  const parts = Array.from({ length: steps + 1 }, (_, step) => step / steps)
  const sample = (across: number, down: number): Sample => {
    const pixel = [left + across * width, top + down * height] as const
    return { pixel, place: projected.toTarget(...pixel) }
  }
  const rows = [parts.map((part) => sample(part, 0)), parts.map((part) => sample(part, 1))]
  const sides = [...parts.map((part) => sample(0, part)), ...parts.map((part) => sample(1, part))]
  const edge = [...rows.flat(), ...sides]
  const isSound = edge.every((at) => isPlace(at.place) && comesBack(projected, at, width / steps, height / steps))
  const lines = isSound ? rows : parts.map((down) => parts.map((across) => sample(across, down)))
  const found = [...lines.flat(), ...(isSound ? sides : [])].map(({ place }) => place).filter(isPlace)
  const between = lines.flatMap((line) =>
    line.slice(1).flatMap((at, index) => searchBetween(projected, line[index]!, at)),
  )
  return { found: [...found, ...between], first: edge[0]!.place, last: edge.at(-1)!.place }
}

function comesBack({ toPixel }: ProjectedRaster, { pixel, place }: Sample, across: number, down: number): boolean {
  const [column, row] = toPixel(...place)
  return Math.abs(column - pixel[0]) <= across && Math.abs(row - pixel[1]) <= down
}

/** Places between two of a row where only one has a place, or where x changes its sign: there a projection may leap. */
function searchBetween({ toTarget }: ProjectedRaster, from: Sample, to: Sample): PlanePosition[] {
  if (!isPlace(from.place) && !isPlace(to.place)) return []
  const found: PlanePosition[] = []
  let [before, after] = [from, to]
  for (let halving = 0; halving < max_halvings; halving++) {
    const [isBefore, isAfter] = [isPlace(before.place), isPlace(after.place)]
    if (isBefore && isAfter && !(before.place[0] * after.place[0] < 0)) break
    const pixel = [(before.pixel[0] + after.pixel[0]) / 2, from.pixel[1]] as const
    const middle = { pixel, place: toTarget(...pixel) }
    if (!isPlace(middle.place)) {
      if (isBefore && isAfter) break
      if (isBefore) after = middle
      else before = middle
      continue
    }
    found.push(middle.place)
    if (!isBefore || before.place[0] * middle.place[0] < 0) after = middle
    else before = middle
  }
  return found
}
