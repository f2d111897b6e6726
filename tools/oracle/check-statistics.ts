import { bandStatistics, decidingNodata, readWindow } from '@swath/raster'
import type { BandStatistics } from '@swath/raster'
import type { Subject } from './compare-tile.ts'
import type { Findings } from './findings.ts'
import type { GdalStatistics, Window } from './gdal.ts'
import { STATISTICS_SHARE } from './tolerances.ts'

/** Of larger images only the upper part is measured. */
const MOST_BYTES = 160_000_000

const MOMENTS = ['minimum', 'maximum', 'mean', 'stddev'] as const
const PERCENTILES = ['p2', 'p98'] as const

/** Compares the exact statistics of every band with GDAL, and percentiles with numpy. */
export async function checkStatistics({ gdal, file, raster, facts }: Subject, found: Findings): Promise<void> {
  const rows = Math.floor(MOST_BYTES / (raster.width * raster.bands.length * 8))
  const window: Window = [0, 0, raster.width, Math.max(1, Math.min(raster.height, rows))]
  const ours = bandStatistics(await readWindow(raster, { window }), decidingNodata(raster))
  const theirs = await gdal.statistics(file, window)
  for (const [band, statistics] of ours.entries()) {
    if (band === facts.alpha) continue
    found.bands++
    const says = compareStatistics(statistics, theirs[band] ?? null)
    if (says !== null) found.violations.push(`statistics of band ${band + 1}: ${says}`)
  }
}

function compareStatistics(ours: BandStatistics, theirs: GdalStatistics | null): string | null {
  if (theirs === null) return ours.valid_percent === 0 ? null : 'GDAL finds no valid pixel'
  const names = [...MOMENTS, ...PERCENTILES.filter((name) => ours[name] !== null)]
  const wrong = names.filter((name) => !agrees(ours[name]!, theirs[name]!, theirs))
  return wrong.length === 0 ? null : wrong.map((name) => `${name} ${ours[name]} is not ${theirs[name]}`).join(', ')
}

// The precision of a mean near 0 depends on the magnitude of the samples.
function agrees(a: number, b: number, { minimum, maximum }: GdalStatistics): boolean {
  const size = Math.max(Math.abs(b), Math.abs(minimum), Math.abs(maximum))
  return Math.abs(a - b) <= size * STATISTICS_SHARE
}
