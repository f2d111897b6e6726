import { computeBandStatistics, findEffectiveNodata, readWindow } from '@swath/raster'
import type { BandStatistics } from '@swath/raster'
import type { OracleSubject } from './compare-tile.ts'
import type { OracleFindings } from './findings.ts'
import type { GdalStatistics, OracleWindow } from './gdal.ts'
import { statistics_share } from './tolerances.ts'

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
