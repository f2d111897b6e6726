import { applyAffine } from '@swath/geo/affine.ts'
import { requireGeoreferenced } from '../../formats/crs/require-georeferenced.ts'
import { crsToLonLat } from '../../formats/crs/crs.ts'
import { checkCancelled, RasterFailure } from '../../failures.ts'
import type { Raster } from '../../types.ts'
import { createNeighbourhoodReader } from '../sources/neighbourhood.ts'
import { TooManyContours, type ContourLevelRange, type ContourLimits } from './contour-crossings.ts'
import { createContourTracer } from './contour-lines.ts'
import type { ContourLine } from './line-joiner.ts'
import type { FeatureFile, FeatureWriteOptions } from './feature-file.ts'
import { measureSurfaceRange, suggestContourInterval } from './suggest-interval.ts'

export interface ContourOptions extends ContourLevelRange {
  /** 0-based. */
  readonly band: number
}

/** Rows of pixels that are traced between two looks at the signal. */
const rows_at_once = 64
/** More than these are no map. */
const max_positions = 5_000_000
const max_line_positions = 1_000_000
export const contourLimits: ContourLimits = { max_levels: 10_000, max_crossings: max_positions }

/**
 * Writes the lines at which a surface crosses its levels, as features with their `level`, in degrees. Values are those of the
 * band with its scale and offset; lines run between the centres of pixels, and end at the sides of pixels without a value and of the image.
 *
 * @param progress called with the completed part, in thousandths.
 * @throws RasterFailure `request` for an invalid interval or a band that does not exist, `no_georeference`, `budget`
 * for more than ten thousand levels or five million positions, which names an interval that has fewer, or a million
 * positions of one line.
 */
export async function writeContours(
  raster: Raster,
  file: FeatureFile,
  { band, interval, base }: ContourOptions,
  { signal, progress }: FeatureWriteOptions,
): Promise<void> {
  validateContourRequest(raster, { band, interval, base })
  const toDegrees = ([x, y]: readonly [number, number]) => crsToLonLat(raster.crs, ...applyAffine(raster.affine, x, y))
  let positions = 0
  const add = (line: ContourLine): void => {
    positions += line.positions.length
    if (positions > max_positions) throw new TooManyContours()
    if (line.positions.length > max_line_positions)
      throw new RasterFailure('budget', `a line has more than ${max_line_positions} positions; clip the surface first`)
    file.add({ type: 'LineString', coordinates: line.positions.map(toDegrees) }, { level: line.level })
  }
  const tracer = createContourTracer(raster.width, { interval, base }, add, contourLimits)
  try {
    for await (const { rows, finished } of readSurface(raster, band, signal)) {
      for (const row of rows) tracer.add(row)
      await file.flush()
      progress(Math.floor(1000 * finished))
    }
    tracer.finish()
  } catch (error) {
    if (!(error instanceof TooManyContours)) throw error
    const enough = suggestContourInterval(
      await measureSurfaceRange(readSurface(raster, band, signal), base),
      contourLimits,
    )
    const limits = `${contourLimits.max_levels} levels or ${max_positions} positions`
    throw new RasterFailure(
      'budget',
      `the interval ${interval} gives more than ${limits}; an interval of ${enough} gives fewer`,
    )
  }
}

/** The values of a band row by row, some rows at once. */
async function* readSurface(raster: Raster, band: number, signal: AbortSignal | undefined) {
  const { width, height } = raster
  const read = createNeighbourhoodReader(raster, band, signal)
  for (let top = 0; top < height; top += rows_at_once) {
    checkCancelled(signal)
    const { values, rows: count } = await read(top, Math.min(rows_at_once, height - top))
    const rows = Array.from({ length: count }, (_, row) => values.subarray((row + 1) * width, (row + 2) * width))
    yield { rows, finished: (top + count) / height }
  }
}

/** Throws what `writeContours` throws before it reads. */
export function validateContourRequest(raster: Raster, { band, interval }: ContourOptions): void {
  requireGeoreferenced(raster)
  if (!raster.bands[band]) throw new RasterFailure('request', `the file has no band ${band + 1}`)
  if (!(interval > 0 && Number.isFinite(interval))) throw new RasterFailure('request', 'an interval is above zero')
}
