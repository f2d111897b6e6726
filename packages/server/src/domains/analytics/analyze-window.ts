import { join } from 'node:path'
import type { Static } from 'typebox'
import type { AnalyticsRaster, RasterAnalysisResult } from '@swath/contract/schemas/analytics.ts'
import { parseColormap, type Colormap, type Raster, type RescaleRange } from '@swath/raster'
import type { Call } from '../../engine/call.ts'
import { validationProblem } from '../../engine/problem.ts'
import { withWorkFolder } from '../../platform/work-folder.ts'
import { openRasterAtUrl } from '../tiles/url/open-raster-url.ts'
import { rasterReadLimits } from '../items/search/read-limits.ts'
import { parseRasterField } from '../tiles/failures.ts'
import type { MeasuredExpression } from '../tiles/measure/measure-target.ts'
import { getCallerRasterJobRunner } from '../tiles/raster-pool.ts'
import { addMedianPercentile, default_histogram_bins, toBandStatistics } from '../tiles/measure/statistics.ts'
import { withTimeout } from '../tiles/within-time.ts'
import { recordAnalyticsExecution } from './execute-method.ts'
import { requireAnalyticsSensor } from './registry.ts'
import { storeAnalyticsResultFile } from './results.ts'
import { bindSensorFormulaToFile } from './sensor-formula.ts'
import { computeWindowBounds, fitWindowImageSize, findWindowOfBox, type DegreeBox, type PixelWindow } from './window.ts'

/** A formula over a window of a file. */
export interface RasterWindowAnalysis {
  readonly method: string
  readonly cog_url: string
  readonly bbox: DegreeBox
  readonly sensor: string
  readonly max_size: number
  readonly output_format: 'json' | 'png' | 'cog'
  readonly formula: string
  /** The field that the formula comes from. */
  readonly path: string
  readonly scaled: boolean
  readonly colormap: string
  /** The values of the first and the last colour; null: the 2nd and the 98th percentile. */
  readonly range: readonly [low: number | null, high: number | null]
}

const percentiles = [2, 98]
const { decoded_bytes: max_decoded_bytes, ms: timeout_ms } = rasterReadLimits.measurement
const { decoded_bytes: budget_bytes } = rasterReadLimits.image

interface Analyzed {
  readonly raster: Raster
  readonly window: PixelWindow
  readonly formula: MeasuredExpression
}

/**
 * Evaluates a formula over a window of a file: exact statistics, from an overview beyond 1 GiB of decoded pixels, and an image
 * or a raster of at most `max_size` pixels a side. Emits `analytics.executed`. Throws `validation` of the field that does not
 * fit, `budget-exceeded` after twenty seconds, and what `openRasterAtUrl` throws.
 */
export async function analyzeRasterWindow(
  call: Call,
  analysis: RasterWindowAnalysis,
): Promise<Static<typeof RasterAnalysisResult>> {
  const sensor = requireAnalyticsSensor(analysis.sensor)
  const colormap = parseRasterField('colormap', () => parseColormap(analysis.colormap))
  const { raster, bands, item_id } = await openRasterAtUrl(call, analysis.cog_url, 'measurement', 'cog_url')
  const formula = bindSensorFormulaToFile(analysis.formula, sensor, bands, analysis.path)
  const analyzed = { raster, formula, window: findWindowOfBox(raster, analysis.bbox) }
  const measured = await measureWindow(call, analyzed, analysis.scaled)
  const statistics = toBandStatistics(measured.bands[0]!, percentiles)
  const size = fitWindowImageSize(analyzed.window, analysis.max_size)
  const { output_format } = analysis
  const image =
    output_format === 'png'
      ? await renderImage(call, analyzed, analysis, { ...size, colormap, range: chooseRange(analysis, statistics) })
      : null
  const kept = output_format === 'cog' ? await writeRaster(call, analyzed, analysis, size) : null
  const item_ids = item_id === null ? [] : [item_id]
  await recordAnalyticsExecution(call, { method: analysis.method, item_ids, raster_id: kept?.id ?? null })
  const expression = formula.expression.text
  const bounds = computeWindowBounds(raster, analyzed.window)
  return { expression, statistics, bounds, ...size, approximate: measured.approximate, image, raster: kept }
}

function measureWindow(call: Call, { raster, window, formula }: Analyzed, scaled: boolean) {
  const jobs = getCallerRasterJobRunner(call)
  const histogram = { bins: default_histogram_bins }
  const request = {
    ...formula,
    window,
    scaled,
    percentiles: addMedianPercentile(percentiles),
    histogram,
    max_decoded_bytes,
  }
  return withTimeout(jobs, { workName: 'measurement', timeout_ms, signal: call.signal }, (signal) =>
    jobs.run('statistics', [raster], request, { signal }),
  )
}

/** The range of the colours; without any value there is nothing to stretch. */
function chooseRange(
  { range: [low, high] }: RasterWindowAnalysis,
  statistics: Static<typeof RasterAnalysisResult>['statistics'],
): RescaleRange {
  const range = [low ?? statistics.percentiles['2'] ?? 0, high ?? statistics.percentiles['98'] ?? 1] as const
  if (range[0] < range[1]) return range
  if (low !== null && high !== null) throw validationProblem([{ path: 'vmax', message: 'must be greater than vmin' }])
  return [range[0] - 0.5, range[0] + 0.5]
}

async function renderImage(
  call: Call,
  { raster, window, formula }: Analyzed,
  { scaled }: RasterWindowAnalysis,
  style: { readonly width: number; readonly height: number; readonly colormap: Colormap; readonly range: RescaleRange },
): Promise<{ media_type: string; base64: string }> {
  const jobs = getCallerRasterJobRunner(call)
  const request = { ...formula, ...style, window, scaled, budget_bytes, format: 'png' as const }
  const png = await withTimeout(jobs, { workName: 'image', timeout_ms, signal: call.signal }, (signal) =>
    jobs.run('renderFormulaWindow', [raster], request, { signal }),
  )
  return { media_type: 'image/png', base64: Buffer.from(png).toString('base64') }
}

function writeRaster(
  call: Call,
  { raster, window, formula }: Analyzed,
  { scaled, method }: RasterWindowAnalysis,
  size: { readonly width: number; readonly height: number },
): Promise<AnalyticsRaster> {
  const jobs = getCallerRasterJobRunner(call)
  return withWorkFolder(async (folder) => {
    const path = join(folder, 'result.tif')
    const request = { ...formula, ...size, window, scaled, budget_bytes, path, name: method }
    const { sha256 } = await withTimeout(jobs, { workName: 'raster', timeout_ms, signal: call.signal }, (signal) =>
      jobs.run('formulaToCog', [raster], request, { signal }),
    )
    return storeAnalyticsResultFile(call, method, { extension: 'tif', path, sha256 })
  })
}
