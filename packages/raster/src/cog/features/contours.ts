import { applyAffine } from '@swath/geo/affine.ts'
import { requireGeoreferenced } from '../../formats/crs/require-georeferenced.ts'
import { toLonLat } from '../../formats/crs/crs.ts'
import { checkCancelled, RasterFailure } from '../../failures.ts'
import type { Raster } from '../../types.ts'
import { createNeighbourhoodReader } from '../sources/neighbourhood.ts'
import { createContourTracer, type ContourLevels } from './contour-lines.ts'
import type { FeatureFile, FeatureProgress } from './feature-file.ts'

export interface ContourOptions extends ContourLevels {
  /** 0-based. */
  readonly band: number
}

/** Rows of pixels that are traced between two looks at the signal. */
const ROWS_AT_ONCE = 64
/** More of them are no map. */
const MAX_POSITIONS = 5_000_000

/**
 * Writes the lines at which a surface crosses its levels, as features with their `level`, in degrees. Values are those of the
 * band with its scale and offset; lines run between the centres of pixels, and end beside pixels without a value.
 *
 * @param progress told the finished part, in thousandths.
 * @throws RasterFailure `request` for an interval that is none or a band that is not there, `no_georeference`, `budget` for more
 * than five million positions.
 */
export async function writeContours(
  raster: Raster,
  file: FeatureFile,
  { band, interval, base }: ContourOptions,
  { signal, progress }: FeatureProgress,
): Promise<void> {
  checkContours(raster, { band, interval, base })
  const { width, height, affine, crs } = raster
  const toDegrees = ([x, y]: readonly [number, number]) => toLonLat(crs, ...applyAffine(affine, x, y))
  let positions = 0
  const tracer = createContourTracer(width, { interval, base }, (line) => {
    positions += line.positions.length
    if (positions > MAX_POSITIONS)
      throw new RasterFailure('budget', 'the lines have too many positions; choose a larger interval')
    file.add({ type: 'LineString', coordinates: line.positions.map(toDegrees) }, { level: line.level })
  })
  const read = createNeighbourhoodReader(raster, band, signal)
  for (let top = 0; top < height; top += ROWS_AT_ONCE) {
    checkCancelled(signal)
    const { values, rows } = await read(top, Math.min(ROWS_AT_ONCE, height - top))
    // The tracer keeps a row until the next one, which may be of another answer.
    for (let row = 1; row <= rows; row++) tracer.add(values.slice(row * width, (row + 1) * width))
    await file.flush()
    progress(Math.floor((1000 * (top + rows)) / height))
  }
  tracer.finish()
}

/** Throws what `writeContours` throws before it reads. */
export function checkContours(raster: Raster, { band, interval }: ContourOptions): void {
  requireGeoreferenced(raster)
  if (!raster.bands[band]) throw new RasterFailure('request', `the file has no band ${band + 1}`)
  if (!(interval > 0 && Number.isFinite(interval))) throw new RasterFailure('request', 'an interval is above zero')
}
