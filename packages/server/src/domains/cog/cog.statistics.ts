import { cogStatistics } from '@swath/contract/operations/cog.ts'
import { ownerOf } from '../../engine/fair-queue.ts'
import { handler } from '../../engine/handler.ts'
import { checkArea } from '../rendering/aoi.ts'
import { measureRaster } from '../rendering/measure.ts'
import { statisticsOf, usual_bins, withMedian } from '../rendering/statistics.ts'
import { namesOfSubject, readSubject } from '../rendering/subject.ts'
import { rasterAt } from './resolve-address.ts'

export const measureCog = handler(cogStatistics, async (call, input) => {
  const area = checkArea(input.geometry, 'geometry')
  const { raster, bands } = await rasterAt(call, input.url, 'measurement')
  const subject = readSubject(input, bands)
  const measures = await measureRaster({
    raster,
    subject,
    area,
    percentiles: withMedian(input.percentiles),
    histogram: { bins: usual_bins },
    owner: ownerOf(call),
    signal: call.signal,
  })
  const rows = namesOfSubject(subject, bands).map(({ name }, at) => [
    name,
    statisticsOf(measures.bands[at]!, input.percentiles),
  ])
  return { statistics: Object.fromEntries(rows), approximate: measures.approximate }
})
