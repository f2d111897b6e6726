import { applyAffine } from '@swath/geo/affine.ts'
import { degreesToMetres } from '@swath/geo/web-mercator.ts'
import { toLonLat } from '@swath/raster'
import type { Resampling } from '@swath/raster'
import { chooseTiles } from './choose-tiles.ts'
import type { Effort } from './choose-tiles.ts'
import { compareTile } from './compare-tile.ts'
import type { Subject } from './compare-tile.ts'
import type { Findings } from './findings.ts'
import { DATUM_WAY, TILE_WAYS } from './tolerances.ts'

const RESAMPLINGS: readonly Resampling[] = ['nearest', 'bilinear', 'cubic', 'average']

/** Of a locally scaled tile only every n-th cell is compared, on diagonals: each cell is a separate, expensive warp. */
const CELLS: Readonly<Record<Effort, number>> = { full: 3, short: 11, least: 11 }

/** Compares map tiles with those of gdalwarp. */
export async function checkTiles(subject: Subject, found: Findings, effort: Effort): Promise<void> {
  const { raster } = subject
  const shifts = pixelsFromProj(subject) > MOST_SHIFT && raster.crs.proj4 !== null
  const options = { cells: CELLS[effort], ...(shifts ? { crs: raster.crs.proj4! } : {}) }
  const resamplings = effort === 'least' ? (['nearest'] as const) : RESAMPLINGS
  for (const tile of chooseTiles(raster, effort))
    for (const resampling of resamplings.filter((name) => comparable(name, subject))) {
      found.tiles++
      const { way, says } = await compareTile(subject, tile, resampling, options)
      if (way !== 'plain') found.explained.push(TILE_WAYS[way])
      if (shifts) found.explained.push(DATUM_WAY)
      if (says !== null)
        found.violations.push(`tile ${tile.z}/${tile.x}/${tile.y} of ${tile.size}, ${resampling}, ${way}: ${says}`)
    }
}

/** Tolerated difference of positions in pixels; beyond it samples differ. National datums are shifted by parameters. */
const MOST_SHIFT = 0.01

/** The distance between our and PROJ's position of the image centre, in pixels. */
function pixelsFromProj({ raster, facts }: Subject): number {
  if (facts.middle === null) return 0
  const place = (column: number): readonly [number, number] => {
    const [longitude, latitude] = toLonLat(raster.crs, ...applyAffine(raster.affine, column, raster.height / 2))
    return degreesToMetres(longitude, latitude)
  }
  const [x, y] = place(raster.width / 2)
  const [nextX, nextY] = place(raster.width / 2 + 1)
  return Math.hypot(x - facts.middle[0], y - facts.middle[1]) / Math.hypot(nextX - x, nextY - y)
}

// GDAL averages palette indices, and reads signed bytes as unsigned: only nearest samples can be compared.
function comparable(resampling: Resampling, { raster, facts }: Subject): boolean {
  return resampling === 'nearest' || !(facts.palette || raster.sampleType === 'int8')
}
