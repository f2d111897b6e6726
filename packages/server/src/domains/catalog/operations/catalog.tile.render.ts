import { catalogTileRenderOperation } from '@swath/contract/operations/catalog.ts'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { validationProblem } from '../../../engine/problem.ts'
import { parseArea, validateArea } from '../../tiles/aoi.ts'
import { pickStyleParameters } from '../../tiles/style/render-style.ts'
import { toImageFormat, requireTileInGrid } from '../../tiles/tile.ts'
import { findSceneImage } from '../imagery/find-scene.ts'
import { createSceneTileResponse } from '../imagery/scene-tile.ts'

const default_quality = 95

export const handler = defineHandler(catalogTileRenderOperation, async (call, input) => {
  requireTileInGrid(input)
  const { z, x, y, visualization, scene_id, collection, provider } = input
  const area = readClipArea(input)
  const image = await findSceneImage(call, { scene_id, collection, provider })
  return createSceneTileResponse(call, image, {
    z,
    x,
    y,
    visualization,
    parameters: pickStyleParameters(input),
    format: toImageFormat(input.format),
    quality: input.quality ?? default_quality,
    area,
  })
})

function readClipArea(input: {
  readonly aoi_clip?: string | null
  readonly aoi_clip_body?: unknown
}): AreaGeometry | null {
  const body = input.aoi_clip_body ?? null
  if (body === null) return parseArea(input.aoi_clip, 'aoi_clip')
  if (input.aoi_clip) throw validationProblem([{ path: 'aoi_clip_body', message: 'cannot be combined with aoi_clip' }])
  return validateArea(body, 'aoi_clip_body')
}
