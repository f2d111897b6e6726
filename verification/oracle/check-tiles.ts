import { applyAffine } from '@swath/geo/affine.ts'
import { degreesToMetres } from '@swath/geo/web-mercator.ts'
import { crsToLonLat } from '@swath/raster'
import type { Resampling } from '@swath/raster'
import { chooseTiles } from './choose-tiles.ts'
import type { CheckEffort } from './choose-tiles.ts'
import { compareTile } from './compare-tile.ts'
import type { OracleSubject } from './compare-tile.ts'
import type { OracleFindings } from './findings.ts'
import { datumExplanation, methodExplanations } from './tolerances.ts'

const checkedResamplings: readonly Resampling[] = ['nearest', 'bilinear', 'cubic', 'average']

/** Of a locally scaled tile only every n-th cell is compared, on diagonals: each cell is a separate, expensive warp. */
const cellsByEffort: Readonly<Record<CheckEffort, number>> = { full: 3, short: 11, least: 11 }

/** Compares map tiles with those of gdalwarp. */
export async function checkTiles(subject: OracleSubject, findings: OracleFindings, effort: CheckEffort): Promise<void> {
  const { raster } = subject
  const isShifted = measureShift(subject) > max_shift_pixels && raster.crs.proj4 !== null
  const options = { cells: cellsByEffort[effort], ...(isShifted ? { crs: raster.crs.proj4! } : {}) }
  const resamplings = effort === 'least' ? (['nearest'] as const) : checkedResamplings
  for (const tile of chooseTiles(raster, effort))
    for (const resampling of resamplings.filter((name) => isComparable(name, subject))) {
      findings.tiles++
      const { way: method, problem } = await compareTile(subject, tile, resampling, options)
      if (method !== 'plain') findings.explained.push(methodExplanations[method])
      if (isShifted) findings.explained.push(datumExplanation)
      if (problem !== null)
        findings.violations.push(
          `tile ${tile.z}/${tile.x}/${tile.y} of ${tile.size}, ${resampling}, ${method}: ${problem}`,
        )
    }
}

/** Tolerated difference of positions in pixels; beyond it samples differ. National datums are shifted by parameters. */
const max_shift_pixels = 0.01

/** The distance between our and PROJ's position of the image centre, in pixels. */
function measureShift({ raster, metadata }: OracleSubject): number {
  if (metadata.middle === null) return 0
  const projectColumn = (column: number): readonly [number, number] => {
    const [longitude, latitude] = crsToLonLat(raster.crs, ...applyAffine(raster.affine, column, raster.height / 2))
    return degreesToMetres(longitude, latitude)
  }
  const [x, y] = projectColumn(raster.width / 2)
  const [nextX, nextY] = projectColumn(raster.width / 2 + 1)
  return Math.hypot(x - metadata.middle[0], y - metadata.middle[1]) / Math.hypot(nextX - x, nextY - y)
}

// GDAL averages palette indices, and reads signed bytes as unsigned: only nearest samples can be compared.
function isComparable(resampling: Resampling, { raster, metadata }: OracleSubject): boolean {
  return resampling === 'nearest' || !(metadata.palette || raster.sampleType === 'int8')
}
