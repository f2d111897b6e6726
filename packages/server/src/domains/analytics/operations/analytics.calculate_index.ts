import { analyticsCalculateIndexOperation } from '@swath/contract/operations/analytics.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { validationProblem } from '../../../engine/problem.ts'
import { analyzeWindow } from '../analyze-window.ts'
import { findSpectralIndex } from '../registry.ts'

export const calculateIndex = defineHandler(
  analyticsCalculateIndexOperation,
  async (call, { index_name, colormap, ...input }) => {
    const index = findSpectralIndex(index_name)
    if (!index) {
      const message = `there is no index "${index_name.slice(0, 40)}"; analytics.indices.list has their names`
      throw validationProblem([{ path: 'index_name', message }])
    }
    const [low, high] = index.value_range as [number, number]
    return analyzeWindow(call, {
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
