import { cogStatisticsOperation } from '@swath/contract/operations/cog.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { validateArea } from '../aoi.ts'
import { measureRaster } from '../measure/measure.ts'
import { toBandStatistics, default_histogram_bins, addMedianPercentile } from '../measure/statistics.ts'
import { listMeasuredValueNames, parseMeasureTarget } from '../measure/measure-target.ts'
import { openRasterAtUrl } from '../url/open-raster-url.ts'
import { getCallerRasterJobRunner } from '../raster-pool.ts'

export const handler = defineHandler(cogStatisticsOperation, async (call, input) => {
  const area = validateArea(input.geometry, 'geometry')
  const { raster, bands } = await openRasterAtUrl(call, input.url, 'measurement')
  const target = parseMeasureTarget(input, bands)
  const measures = await measureRaster({
    raster,
    target,
    area,
    percentiles: addMedianPercentile(input.percentiles),
    histogram: { bins: default_histogram_bins },
    jobs: getCallerRasterJobRunner(call),
    signal: call.signal,
  })
  const entries = listMeasuredValueNames(target, bands).map(({ name }, at) => [
    name,
    toBandStatistics(measures.bands[at]!, input.percentiles),
  ])
  return { statistics: Object.fromEntries(entries), approximate: measures.approximate }
})
