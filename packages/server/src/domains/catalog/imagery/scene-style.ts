import {
  computeBandStatistics,
  evaluateExpression,
  joinBlocks,
  type Raster,
  type RasterStyle,
  type RescaleRange,
} from '@swath/raster'
import type { RasterBandMetadata } from '../../items/assets/raster-metadata.ts'
import type { RasterJobs } from '../../rendering/raster-pool.ts'
import type { BoundExpression, RenderStyle } from '../../rendering/render-style.ts'
import { chooseResampling, resolveStyle } from '../../rendering/resolve-style.ts'
import { getStretchRanges } from '../../rendering/stretch.ts'

/** A band that is rendered, with the raster that it is in. */
export interface StyledBand {
  /** Index of its raster. */
  readonly raster: number
  readonly band: number
  readonly metadata: RasterBandMetadata
}

export interface SceneStyleRequest {
  readonly jobs: RasterJobs
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
export async function resolveSceneStyle(
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
  const { formula, colormap, gamma } = style
  const isByValue = colormap !== null && colormap.kind !== 'ramp'
  const ranges = isByValue ? undefined : await stretchBands(request)
  const resampling = bands.some(({ metadata }) => metadata.categorical) ? 'nearest' : 'bilinear'
  return {
    style: formula
      ? {
          kind: 'expression',
          expression: formula.expression,
          bandIndexByName: formula.bandIndexes,
          ranges,
          colormap,
          gamma,
        }
      : { kind: 'bands', ranges, colormap, gamma },
    resampling,
  }
}

async function stretchBands(request: SceneStyleRequest): Promise<readonly RescaleRange[]> {
  const { jobs, rasters, bands, style, signal } = request
  if (style.rescale) return style.rescale
  if (style.formula) return [await stretchFormula(request, style.formula)]
  const ranges: RescaleRange[] = []
  for (const { raster, band, metadata } of bands) {
    const fileBands: RasterBandMetadata[] = []
    fileBands[band] = metadata
    const single = { bands: [band], formula: null, rescale: null, colormap: null, gamma: 1 }
    const stretch = { jobs, raster: rasters[raster]!, bands: fileBands, style: single, signal }
    ranges.push(...(await getStretchRanges(stretch)))
  }
  return ranges
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
  const [statistics] = computeBandStatistics(evaluateExpression(expression, joinBlocks(blocks), bandIndexes), null)
  const { p2, p98, minimum } = statistics!
  return p2 !== null && p98 !== null && p2 < p98 ? [p2, p98] : [minimum || 0, (minimum || 0) + 1]
}
