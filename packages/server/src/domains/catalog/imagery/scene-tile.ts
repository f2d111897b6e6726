import {
  type ImageFormat,
  type Raster,
  type RasterStyle,
  type RescaleRange,
  type Stretch,
  computeBandStatistics,
  evaluateExpression,
  imageMediaType,
  stackBlockBands,
} from '@swath/raster'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import type { Call } from '../../../engine/call.ts'
import type { BytesResponse } from '../../../engine/operation-response.ts'
import { Problem } from '../../../engine/problem.ts'
import { createRasterReadBudget, rasterReadLimits } from '../../items/search/read-limits.ts'
import { type EncodedImage, createImageResponse } from '../../tiles/image-response.ts'
import { type OrganizationRasterJobRunner, getCallerRasterJobRunner } from '../../tiles/raster-pool.ts'
import {
  type BoundExpression,
  type RenderStyle,
  type StyleParameters,
  parseRenderStyle,
} from '../../tiles/style/render-style.ts'
import type { TileCoordinates } from '../../tiles/tile.ts'
import { withTimeout } from '../../tiles/within-time.ts'
import { computePreviewMaxZoom } from './preview-zoom.ts'
import { type SceneBand, type SceneImage, openSceneFile } from './scene-image.ts'
import { findSceneVisualizationParameters } from './scene-visualizations.ts'
import type { RasterBandMetadata } from '../../items/assets/raster-metadata.ts'
import { chooseResampling, resolveStyle } from '../../tiles/style/resolve-style.ts'
import { findPercentileRanges, stretchNaturally } from '../../tiles/style/stretch.ts'

/** A band that is rendered, with the raster that it is in. */
interface StyledBand {
  /** Index of its raster. */
  readonly raster: number
  readonly band: number
  readonly metadata: RasterBandMetadata
}

interface SceneStyleRequest {
  readonly jobs: OrganizationRasterJobRunner
  readonly rasters: readonly Raster[]
  /** The bands that the style renders, in its order. */
  readonly bands: readonly StyledBand[]
  readonly style: RenderStyle
  readonly signal: AbortSignal
}

/** The bands of the style as those of a file: everything at its place in the file. */
function toFileBands({ rasters, bands }: SceneStyleRequest): RasterBandMetadata[] {
  const fileBands: RasterBandMetadata[] = rasters[0]!.bands.map(({ name, colour, scale, offset, statistics }) => ({
    name,
    common_name: null,
    colour,
    scale,
    offset,
    statistics,
  }))
  for (const { band, metadata } of bands) fileBands[band] = metadata
  return fileBands
}

/** The style for the raster pool, and the resampling: for one file as for items, for several by the bands of each. */
async function resolveSceneStyle(
  request: SceneStyleRequest,
): Promise<{ style: RasterStyle; resampling: 'nearest' | 'bilinear' }> {
  const { jobs, rasters, bands, style, signal } = request
  if (rasters.length === 1) {
    const file = {
      raster: rasters[0]!,
      bands: toFileBands(request),
      style: { ...style, bands: bands.map(({ band }) => band) },
    }
    return {
      style: await resolveStyle({ jobs, signal, ...file }),
      resampling: chooseResampling(file.raster, file.bands, file.style),
    }
  }
  const { formula, colormap, gamma, colourOperations } = style
  const isByValue = colormap !== null && colormap.kind !== 'ramp'
  const stretch = isByValue ? {} : await stretchBands(request)
  const resampling = bands.some(({ metadata }) => metadata.categorical) ? 'nearest' : 'bilinear'
  return {
    style: formula
      ? {
          kind: 'expression',
          expression: formula.expression,
          bandIndexByName: formula.bandIndexes,
          ...stretch,
          colormap,
          gamma,
          colourOperations,
        }
      : { kind: 'bands', ...stretch, colormap, gamma, colourOperations },
    resampling,
  }
}

async function stretchBands(request: SceneStyleRequest): Promise<Stretch> {
  const { jobs, rasters, bands, style, signal } = request
  const curve = style.stretch
  if (style.rescale) return { ranges: style.rescale, curve }
  if (style.formula) return { ranges: [await stretchFormula(request, style.formula)], curve }
  const ranges: RescaleRange[] = []
  for (const { raster, band, metadata } of bands) {
    const fileBands: RasterBandMetadata[] = []
    fileBands[band] = metadata
    const single = { ...style, bands: [band], formula: null, rescale: null }
    const stretch = { jobs, raster: rasters[raster]!, bands: fileBands, style: single, signal }
    ranges.push(...(await findPercentileRanges(stretch)))
  }
  if (curve === 'linear') return { ranges, curve }
  const metadata = bands.map((band) => band.metadata)
  return stretchNaturally(metadata, ranges, rasters[bands[0]!.raster]!.sampleType)
}

const sample_pixels = 256

/** Returns the range from the 2nd to the 98th percentile of an expression over the whole scene. */
async function stretchFormula(
  { jobs, rasters, bands, signal }: SceneStyleRequest,
  { expression, bandIndexes }: BoundExpression,
): Promise<RescaleRange> {
  const size = { width: sample_pixels, height: sample_pixels }
  const blocks = []
  for (const { raster, band } of bands) {
    const block = await jobs.run('preview', [rasters[raster]!], { ...size, bands: [band] }, { signal })
    blocks.push({ block, band: 0 })
  }
  const [statistics] = computeBandStatistics(evaluateExpression(expression, stackBlockBands(blocks), bandIndexes), null)
  const { p2, p98, minimum } = statistics!
  return p2 !== null && p98 !== null && p2 < p98 ? [p2, p98] : [minimum || 0, (minimum || 0) + 1]
}

export interface SceneTileRequest extends TileCoordinates {
  readonly visualization: string
  readonly parameters: Omit<StyleParameters, 'bands'>
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
  const opened = await openSceneBands(
    call,
    style.bands.map((index) => image.bands[index]!),
  )
  const max_zoom = image.is_preview ? Math.min(...opened.rasters.map(computePreviewMaxZoom)) : null
  const { z, x, y, format, quality, area } = request
  const cacheParameters = { z, x, y, format, quality, area, max_zoom, parameters, bands: opened.bands }
  return createImageResponse(call, opened.tag, cacheParameters, () =>
    renderTile(call, opened, { ...request, style, max_zoom }),
  )
}

/** An expression replaces the visualization; the other parameters only replace its own. */
function mergeParameters(image: SceneImage, { visualization, parameters }: SceneTileRequest): StyleParameters {
  if (parameters.expression) return parameters
  const preset = findSceneVisualizationParameters(image, visualization)
  if (!preset) throw new Problem('not-found', `The scene has no visualization "${visualization.slice(0, 100)}".`)
  const { bands, expression, rescale, colormap } = preset
  return {
    bands,
    expression,
    rescale: parameters.rescale || rescale,
    colormap: parameters.colormap || colormap,
    gamma: parameters.gamma,
    stretch: parameters.stretch,
    color_formula: parameters.color_formula,
  }
}

export async function openSceneBands(call: Call, bands: readonly SceneBand[]): Promise<OpenedBands> {
  const files = [...new Set(bands.map(({ file }) => file))]
  const budget = createRasterReadBudget('tile')
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
  const jobs = getCallerRasterJobRunner(call)
  const limit = { workName: 'tile', timeout_ms: rasterReadLimits.tile.ms, signal: call.signal }
  const body = await withTimeout(jobs, limit, async (signal) => {
    const styled = await resolveSceneStyle({ jobs, rasters, bands, style: tile.style, signal })
    const request = {
      ...({ z, x, y, size: 256, format, quality } as const),
      ...styled,
      sources: bands.map(({ raster, band }) => ({ raster, band })),
      budget_bytes: rasterReadLimits.tile.decoded_bytes,
      ...(max_zoom === null ? {} : { max_zoom }),
      ...(area ? { area } : {}),
    }
    return jobs.run('renderBandTile', rasters, request, { signal })
  })
  return { body, media_type: imageMediaType(format) }
}
