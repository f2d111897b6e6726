import { itemsTileHistogram } from '@swath/contract/operations/items.tile.reads.ts'
import { ownerOf } from '../../engine/fair-queue.ts'
import { handler } from '../../engine/handler.ts'
import { validationProblem } from '../../engine/problem.ts'
import { measuredItem } from '../rendering/item-subject.ts'
import { enough_pixels, measureRaster } from '../rendering/measure.ts'
import { namesOfSubject } from '../rendering/subject.ts'
import { requireItem } from './access.ts'

export const countItemValues = handler(itemsTileHistogram, async (call, input) => {
  const [lowest, highest] = input.range ?? [0, 1]
  if (!(lowest! < highest!)) throw validationProblem([{ path: 'range', message: 'must be ascending' }])
  const item = await requireItem(call, input.item_id, 'read')
  const { raster, bands, subject } = await measuredItem(call, item, input, 'measurement')
  const measures = await measureRaster({
    raster,
    subject,
    area: null,
    percentiles: [],
    histogram: { bins: input.bins, range: input.range === undefined ? undefined : [lowest!, highest!] },
    approximate_pixels: enough_pixels,
    owner: ownerOf(call),
    signal: call.signal,
  })
  const histograms = namesOfSubject(subject, bands).map((name, at) => {
    const { counts, edges } = measures.bands[at]!.histogram!
    return { ...name, counts: [...counts], edges: [...edges] }
  })
  return { histograms, approximate: measures.approximate }
})
