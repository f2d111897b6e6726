import { cogColormaps } from '@swath/contract/operations/cog.ts'
import { wholeWindow } from '@swath/contract/paging.ts'
import { handler } from '../../engine/handler.ts'
import { validationProblem } from '../../engine/problem.ts'
import { imageAnswer } from '../rendering/image-answer.ts'
import { drawLegend, listedColormaps, readLegend } from '../rendering/legend.ts'

export const listColormaps = handler(cogColormaps, async (call, input) => {
  if (input.format === 'json') return { colormaps: [...listedColormaps], ...wholeWindow(listedColormaps) }
  if (!input.name) throw validationProblem([{ path: 'name', message: 'is required for a legend' }])
  const { name, width, height } = input
  const colormap = readLegend(name)
  const draw = async () => ({ body: drawLegend(colormap, width, height), media_type: 'image/png' })
  return imageAnswer('colormap', { name, width, height }, draw, call)
})
