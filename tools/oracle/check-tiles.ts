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

/** Of a tile over a curved map gdalwarp draws one in so many cells, on diagonals; each is a warp of its own, and dear. */
const CELLS: Readonly<Record<Effort, number>> = { full: 3, short: 11, least: 11 }

/** Map tiles beside those of gdalwarp. */
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

/** Pixels by which places may differ: beyond it samples are those of other places. National datums are shifted by parameters. */
const MOST_SHIFT = 0.01

/** How far our middle of the picture is from PROJ's, in pixels. */
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

// GDAL means the numbers of a palette, and takes signed bytes for unsigned ones: only unmixed samples can be compared.
function comparable(resampling: Resampling, { raster, facts }: Subject): boolean {
  return resampling === 'nearest' || !(facts.palette || raster.sampleType === 'int8')
}
