import {
  chooseNaturalStretch,
  computeBandStatistics,
  findEffectiveNodata,
  evaluateExpression,
  rejectOnAbort,
  type PixelBlock,
  type Raster,
  type RescaleRange,
  type SampleType,
  type Stretch,
} from '@swath/raster'
import { createBoundedCache } from '../../../platform/bounded-cache.ts'
import type { RasterBandMetadata } from '../../items/assets/raster-metadata.ts'
import type { RenderStyle } from './render-style.ts'
import type { OrganizationRasterJobRunner } from '../raster-pool.ts'

const sample_pixels = 256
const timeout_ms = 30_000

type Extremes = Pick<NonNullable<RasterBandMetadata['statistics']>, 'minimum' | 'maximum' | 'p2' | 'p98'>

/**
 * A stretch from the 2nd to the 98th percentile, or between the extremes if those are unknown; null if both ends are equal.
 */
function percentileRange({ minimum, maximum, p2, p98 }: Extremes): RescaleRange | null {
  if (p2 !== null && p98 !== null && p2 < p98) return [p2, p98]
  return minimum < maximum ? [minimum, maximum] : null
}

/** The stretch of an image with a single value, which is rendered black. */
const constantRange = (value: number): RescaleRange => [value, value + 1]

/** A style, and the raster whose pixels it is for. */
export interface StyledRaster {
  readonly jobs: OrganizationRasterJobRunner
  readonly raster: Raster
  readonly bands: readonly RasterBandMetadata[]
  readonly style: RenderStyle
  readonly signal: AbortSignal
}

/**
 * The stretch of a style, the same for all tiles of a raster: over the requested ranges; else in true colour the natural
 * one, and from the 2nd to the 98th percentile of each band otherwise.
 */
export async function resolveStretch(styled: StyledRaster): Promise<Stretch> {
  const { style, bands, raster } = styled
  if (style.rescale) return { ranges: style.rescale, curve: style.stretch }
  const percentiles = await findPercentileRanges(styled)
  if (style.stretch === 'linear') return { ranges: percentiles, curve: 'linear' }
  return stretchNaturally(
    style.bands.map((index) => bands[index]!),
    percentiles,
    raster.sampleType,
  )
}

/** The natural stretch of three bands with these percentiles. */
export const stretchNaturally = (
  bands: readonly Pick<RasterBandMetadata, 'colour' | 'scale' | 'offset'>[],
  percentiles: readonly RescaleRange[],
  sampleType: SampleType,
): Stretch =>
  chooseNaturalStretch(
    bands.map(({ colour, scale, offset }, at) => ({ colour, scale, offset, percentiles: percentiles[at]! })),
    sampleType,
  )

/**
 * The 2nd to the 98th percentile of each band or of the expression: from the stored statistics of the bands, else from a small
 * preview of the whole raster.
 */
export async function findPercentileRanges({
  jobs,
  raster,
  bands,
  style,
  signal,
}: StyledRaster): Promise<readonly RescaleRange[]> {
  if (!style.formula) {
    const stored = style.bands.map((index) => bands[index]?.statistics ?? null)
    if (stored.every((statistics) => statistics !== null && statistics.p2 !== null)) {
      return stored.map((statistics) => percentileRange(statistics!) ?? constantRange(statistics!.minimum))
    }
  }
  return rejectOnAbort(measureOnce(jobs, raster, style), signal)
}

const max_cached_styles = 50

function measureOnce(
  jobs: OrganizationRasterJobRunner,
  raster: Raster,
  style: RenderStyle,
): Promise<readonly RescaleRange[]> {
  const rangesByStyle = jobs.stretchCache.get(raster.levels) ?? createBoundedCache({ max_entries: max_cached_styles })
  jobs.stretchCache.set(raster.levels, rangesByStyle)
  const key = style.formula ? `=${style.formula.expression.text} ${style.bands.join()}` : style.bands.join()
  const cached = rangesByStyle.get(key)
  if (cached) return cached
  const pendingRanges = measureStretch(jobs, raster, style)
  rangesByStyle.set(key, pendingRanges)
  pendingRanges.catch(() => rangesByStyle.delete(key))
  return pendingRanges
}

async function measureStretch(
  jobs: OrganizationRasterJobRunner,
  raster: Raster,
  style: RenderStyle,
): Promise<readonly RescaleRange[]> {
  const preview = await jobs.run(
    'preview',
    [raster],
    {
      width: sample_pixels,
      height: sample_pixels,
      bands: style.bands,
    },
    { signal: AbortSignal.timeout(timeout_ms) },
  )
  const block: PixelBlock = style.formula
    ? evaluateExpression(style.formula.expression, preview, style.formula.bandIndexes)
    : preview
  return computeBandStatistics(block, style.formula ? null : findEffectiveNodata(raster)).map(
    (statistics) =>
      (statistics.valid_percent > 0 ? percentileRange(statistics) : null) ?? constantRange(statistics.minimum || 0),
  )
}
