import { analyticsCalculateIndexOperation } from '@swath/contract/operations/analytics.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { analyzeRasterWindow } from '../analyze-window.ts'
import { requireSpectralIndex } from '../registry.ts'

export const handler = defineHandler(
  analyticsCalculateIndexOperation,
  async (call, { index_name, colormap, ...input }) => {
    const index = requireSpectralIndex(index_name)
    const [low, high] = index.value_range as [number, number]
    return analyzeRasterWindow(call, {
      ...input,
      method: index.name,
      formula: index.formula,
      path: 'index_name',
      scaled: true,
      colormap: colormap ?? index.colormap,
      range: [low, high],
    })
  },
)
