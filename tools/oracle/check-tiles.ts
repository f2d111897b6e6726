import { applyAffine } from '@swath/geo/affine.ts'
import { degreesToMetres } from '@swath/geo/web-mercator.ts'
import { toLonLat } from '@swath/raster'
import type { Resampling } from '@swath/raster'
import { chooseTiles } from './choose-tiles.ts'
import { compareTile } from './compare-tile.ts'
import type { Subject } from './compare-tile.ts'
import type { Findings } from './findings.ts'

const RESAMPLINGS: readonly Resampling[] = ['nearest', 'bilinear', 'cubic', 'average']

/** Map tiles beside those of gdalwarp. */
export async function checkTiles(subject: Subject, found: Findings, short: boolean): Promise<void> {
  const shift = pixelsFromProj(subject)
  if (shift > MOST_SHIFT)
    found.listed.push('PROJ puts the picture elsewhere (datum): its tiles are those of other places')
  for (const tile of chooseTiles(subject.raster, short))
    for (const resampling of RESAMPLINGS.filter((name) => comparable(name, subject))) {
      found.tiles++
      const { plain, fair, because } = await compareTile(subject, tile, resampling)
      if (plain.says === null || shift > MOST_SHIFT) continue
      const fairly = fair === plain || fair.says === null ? '' : ` (as gdalwarp would inside: ${fair.says})`
      const line = `tile ${tile.z}/${tile.x}/${tile.y} of ${tile.size}, ${resampling}: ${plain.says}${fairly}`
      if (because === null) found.violations.push(line)
      else found.listed.push(because)
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
