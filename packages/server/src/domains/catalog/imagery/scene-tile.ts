import { imageMediaType, type ImageFormat, type Raster } from '@swath/raster'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import type { Call } from '../../../engine/call.ts'
import type { BytesResponse } from '../../../engine/operation-response.ts'
import { Problem } from '../../../engine/problem.ts'
import { createReadBudget, readLimits } from '../../items/search/read-limits.ts'
import { createImageResponse, type EncodedImage } from '../../rendering/image-response.ts'
import { rasterJobsOf } from '../../rendering/raster-pool.ts'
import { parseRenderStyle, type RenderStyle, type StyleParameters } from '../../rendering/render-style.ts'
import type { TileCoordinates } from '../../rendering/tile.ts'
import { withTimeout } from '../../rendering/within-time.ts'
import { previewMaxZoom } from './preview-zoom.ts'
import { openSceneFile, type SceneBand, type SceneImage } from './scene-image.ts'
import { resolveSceneStyle, type StyledBand } from './scene-style.ts'
import { visualizationParameters } from './scene-visualizations.ts'

export interface SceneTileRequest extends TileCoordinates {
  readonly visualization: string
  readonly parameters: Pick<StyleParameters, 'expression' | 'colormap' | 'rescale' | 'gamma'>
  readonly format: ImageFormat
  readonly quality: number
  readonly area: AreaGeometry | null
}

/** The rasters of the bands, each opened once. */
interface OpenedBands {
  readonly rasters: readonly Raster[]
  readonly bands: readonly StyledBand[]
  /** Changes with the pixels; null if that is unknown. */
  readonly tag: string | null
}

/**
 * Renders a tile of a scene, cached like those of items. Scenes for sale are shown no finer than their quicklook. Throws
 * `not-found` for a visualization that the scene does not have.
 */
export async function createSceneTileResponse(
  call: Call,
  image: SceneImage,
  request: SceneTileRequest,
): Promise<BytesResponse> {
  const parameters = mergeParameters(image, request)
  const style = parseRenderStyle(
    parameters,
    image.bands.map(({ metadata }) => metadata),
  )
  const opened = await openBands(
    call,
    style.bands.map((index) => image.bands[index]!),
  )
  const max_zoom = image.is_preview ? Math.min(...opened.rasters.map(previewMaxZoom)) : null
  const { z, x, y, format, quality, area } = request
  const cacheParameters = { z, x, y, format, quality, area, max_zoom, parameters, bands: opened.bands }
  return createImageResponse(call, opened.tag, cacheParameters, () =>
    renderTile(call, opened, { ...request, style, max_zoom }),
  )
}

/** An expression replaces the visualization; the other parameters only replace its own. */
function mergeParameters(image: SceneImage, { visualization, parameters }: SceneTileRequest): StyleParameters {
  if (parameters.expression) return parameters
  const preset = visualizationParameters(image, visualization)
  if (!preset) throw new Problem('not-found', `The scene has no visualization "${visualization.slice(0, 100)}".`)
  const { bands, expression, rescale, colormap } = preset
  return {
    bands,
    expression,
    rescale: parameters.rescale || rescale,
    colormap: parameters.colormap || colormap,
    gamma: parameters.gamma,
  }
}

export async function openBands(call: Call, bands: readonly SceneBand[]): Promise<OpenedBands> {
  const files = [...new Set(bands.map(({ file }) => file))]
  const budget = createReadBudget('tile')
  const opened = await Promise.all(files.map((file) => openSceneFile(call, file, budget)))
  const tags = opened.map(({ tag }) => tag)
  return {
    rasters: opened.map(({ raster }) => raster),
    bands: bands.map(({ file, index, metadata }) => ({ raster: files.indexOf(file), band: index, metadata })),
    tag: tags.includes(null) ? null : tags.join('\n'),
  }
}

interface StyledTile extends Omit<SceneTileRequest, 'parameters' | 'visualization'> {
  readonly style: RenderStyle
  readonly max_zoom: number | null
}

async function renderTile(call: Call, { rasters, bands }: OpenedBands, tile: StyledTile): Promise<EncodedImage> {
  const { z, x, y, format, quality, area, max_zoom } = tile
  const jobs = rasterJobsOf(call)
  const limit = { workName: 'tile', timeout_ms: readLimits.tile.ms, signal: call.signal }
  const body = await withTimeout(jobs, limit, async (signal) => {
    const styled = await resolveSceneStyle({ jobs, rasters, bands, style: tile.style, signal })
    const request = {
      ...({ z, x, y, size: 256, format, quality } as const),
      ...styled,
      sources: bands.map(({ raster, band }) => ({ raster, band })),
      budget_bytes: readLimits.tile.decoded_bytes,
      ...(max_zoom === null ? {} : { max_zoom }),
      ...(area ? { area } : {}),
    }
    return jobs.run('renderBandTile', rasters, request, { signal })
  })
  return { body, media_type: imageMediaType(format) }
}
