import {
  bandStatistics,
  decidingNodata,
  evaluate,
  untilCancelled,
  type PixelBlock,
  type Raster,
  type StretchRange,
} from '@swath/raster'
import type { WorkOwner } from '../../engine/fair-queue.ts'
import type { BandFacts } from '../items/raster-facts.ts'
import { develop } from './darkroom.ts'
import type { Look } from './look.ts'

const sample_pixels = 256
const limit_ms = 30_000

type Extremes = Pick<NonNullable<BandFacts['statistics']>, 'minimum' | 'maximum' | 'p2' | 'p98'>

/**
 * A stretch from the 2nd to the 98th percentile, or between the extremes if those are unknown; null if both ends are equal.
 */
function rangeOf({ minimum, maximum, p2, p98 }: Extremes): StretchRange | null {
  if (p2 !== null && p98 !== null && p2 < p98) return [p2, p98]
  return minimum < maximum ? [minimum, maximum] : null
}

/** The stretch of an image with a single value, which is rendered black. */
const flat = (value: number): StretchRange => [value, value + 1]

/**
 * The stretch ranges of a style: the requested ones, else from the stored statistics of the bands, else from a small
 * preview of the whole raster, so that all tiles of a raster are stretched alike.
 */
export async function stretchesOf(
  owner: WorkOwner,
  raster: Raster,
  bands: readonly BandFacts[],
  look: Look,
  signal: AbortSignal,
): Promise<readonly StretchRange[]> {
  if (look.rescale) return look.rescale
  if (!look.formula) {
    const stored = look.bands.map((index) => bands[index]?.statistics ?? null)
    if (stored.every((statistics) => statistics !== null && statistics.p2 !== null)) {
      return stored.map((statistics) => rangeOf(statistics!) ?? flat(statistics!.minimum))
    }
  }
  return untilCancelled(measured(owner, raster, look), signal)
}

/** Cached by opened file and style: the preview is read once, not per tile, even if a request is cancelled. */
const known = new WeakMap<Raster['levels'], Map<string, Promise<readonly StretchRange[]>>>()
const limit_known = 50

function measured(owner: WorkOwner, raster: Raster, look: Look): Promise<readonly StretchRange[]> {
  const looks = known.get(raster.levels) ?? new Map<string, Promise<readonly StretchRange[]>>()
  known.set(raster.levels, looks)
  const key = look.formula ? `=${look.formula.expression.text} ${look.bands.join()}` : look.bands.join()
  const kept = looks.get(key)
  if (kept) return kept
  if (looks.size >= limit_known) looks.clear()
  const measuring = measure(owner, raster, look)
  looks.set(key, measuring)
  measuring.catch(() => looks.delete(key))
  return measuring
}

async function measure(owner: WorkOwner, raster: Raster, look: Look): Promise<readonly StretchRange[]> {
  const drawn = await develop(
    owner,
    'preview',
    [raster],
    { width: sample_pixels, height: sample_pixels, bands: look.bands },
    AbortSignal.timeout(limit_ms),
  )
  const block: PixelBlock = look.formula ? evaluate(look.formula.expression, drawn, look.formula.places) : drawn
  return bandStatistics(block, look.formula ? null : decidingNodata(raster)).map(
    (statistics) => (statistics.valid_percent > 0 ? rangeOf(statistics) : null) ?? flat(statistics.minimum || 0),
  )
}
