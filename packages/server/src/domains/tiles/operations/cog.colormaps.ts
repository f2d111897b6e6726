import { cogColormapsOperation } from '@swath/contract/operations/cog.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toCompleteList } from '../../../engine/page.ts'
import { validationProblem } from '../../../engine/problem.ts'
import { createImageResponse } from '../image-response.ts'
import { renderLegend, colormapInfos, parseLegendColormap } from '../style/legend.ts'

export const handler = defineHandler(cogColormapsOperation, async (call, input) => {
  if (input.format === 'json') return toCompleteList('colormaps', colormapInfos)
  if (!input.name) throw validationProblem([{ path: 'name', message: 'is required for a legend' }])
  const { name, width, height } = input
  const colormap = parseLegendColormap(name)
  const render = async () => ({ body: renderLegend(colormap, width, height), media_type: 'image/png' })
  return createImageResponse(call, 'colormap', { name, width, height }, render)
})
