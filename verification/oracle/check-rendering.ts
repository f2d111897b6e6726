import {
  readWindow,
  computeBandStatistics,
  findEffectiveNodata,
  crsToLonLat,
  type BandStatistics,
  type Resampling,
} from '@swath/raster'
import { compareTile, type OracleSubject } from './compare-tile.ts'
import { compareSamples, countMaskDifferences } from './difference.ts'
import type { OracleFindings } from './findings.ts'
import type { OracleWindow, GdalStatistics } from './gdal.ts'
import { statistics_share, datumExplanation, methodExplanations } from './tolerances.ts'
import { applyAffine } from '@swath/geo/affine.ts'
import { degreesToMetres } from '@swath/geo/web-mercator.ts'
import { chooseTiles, type CheckEffort } from './choose-tiles.ts'

/** Maximum bytes of samples per comparison. */
const strip_bytes = 67_108_864
/** Of larger levels only the first and last strip and the middle one are compared. */
const max_pixels = 50_000_000

/** Compares every sample of every level, and every mask, with GDAL. */
export async function checkSamples(subject: OracleSubject, findings: OracleFindings): Promise<void> {
  const { raster, metadata } = subject
  const sizes = raster.levels.map(({ width, height }) => [width, height])
  if (JSON.stringify(sizes) !== JSON.stringify(metadata.levels))
    findings.violations.push(`levels are ${JSON.stringify(sizes)}, GDAL has ${JSON.stringify(metadata.levels)}`)
  for (const { index, width, height } of raster.levels) {
    if (metadata.levels[index]?.[0] !== width || metadata.levels[index][1] !== height) continue
    findings.levels++
    for (const window of strips(width, height, raster.bands.length)) {
      const difference = await checkWindow(subject, index, window)
      if (difference === null) continue
      findings.violations.push(`level ${index}, rows from ${window[1]}: ${difference}`)
      break
    }
  }
}

async function checkWindow(
  { gdal, file, raster }: OracleSubject,
  level: number,
  window: OracleWindow,
): Promise<string | null> {
  const ours = await readWindow(raster, { level, window })
  const theirs = await gdal.read(file, raster.sampleType, level, window)
  const differingPixels = countMaskDifferences(ours.mask, theirs.mask)
  if (differingPixels > 0) return `${differingPixels} pixels of the mask differ`
  const { beyond, largest } = compareSamples(ours.data, theirs.samples, 0)
  return beyond > 0 ? `${beyond} samples differ, by up to ${largest}` : null
}

function* strips(width: number, height: number, bands: number): Generator<OracleWindow> {
  const rows = Math.max(1, Math.min(height, Math.floor(strip_bytes / (width * bands * 8))))
  const isThinned = width * height > max_pixels
  const last = Math.floor((height - 1) / rows)
  for (let strip = 0; strip <= last; strip++) {
    if (isThinned && strip !== 0 && strip !== last && strip !== last >> 1) continue
    yield [0, strip * rows, width, Math.min(height, (strip + 1) * rows)]
  }
}

/** Of larger images only the upper part is measured. */
const max_bytes = 160_000_000

const moments = ['minimum', 'maximum', 'mean', 'stddev'] as const
const percentiles = ['p2', 'p98'] as const

/** Compares the exact statistics of every band with GDAL, and percentiles with numpy. */
export async function checkStatistics(
  { gdal, file, raster, metadata }: OracleSubject,
  findings: OracleFindings,
): Promise<void> {
  const rows = Math.floor(max_bytes / (raster.width * raster.bands.length * 8))
  const window: OracleWindow = [0, 0, raster.width, Math.max(1, Math.min(raster.height, rows))]
  const ours = computeBandStatistics(await readWindow(raster, { window }), findEffectiveNodata(raster))
  const theirs = await gdal.statistics(file, window)
  for (const [band, statistics] of ours.entries()) {
    if (band === metadata.alpha) continue
    findings.bands++
    const difference = compareStatistics(statistics, theirs[band] ?? null)
    if (difference !== null) findings.violations.push(`statistics of band ${band + 1}: ${difference}`)
  }
}

function compareStatistics(ours: BandStatistics, theirs: GdalStatistics | null): string | null {
  if (theirs === null) return ours.valid_percent === 0 ? null : 'GDAL finds no valid pixel'
  const names = [...moments, ...percentiles.filter((name) => ours[name] !== null)]
  const wrong = names.filter((name) => !isClose(ours[name]!, theirs[name]!, theirs))
  return wrong.length === 0 ? null : wrong.map((name) => `${name} ${ours[name]} is not ${theirs[name]}`).join(', ')
}

// The precision of a mean near 0 depends on the magnitude of the samples.
function isClose(a: number, b: number, { minimum, maximum }: GdalStatistics): boolean {
  const size = Math.max(Math.abs(b), Math.abs(minimum), Math.abs(maximum))
  return Math.abs(a - b) <= size * statistics_share
}

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
