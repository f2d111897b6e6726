import { imageMediaType, type Raster, type RasterJobRequest } from '@swath/raster'
import type { BytesResponse } from '../../engine/operation-response.ts'
import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { computeAssetContentTag, openAssetRaster } from './asset-source.ts'
import { createRasterReadBudget, rasterReadLimits } from '../items/search/read-limits.ts'
import type { ItemRow } from '../items/store.ts'
import { convertRasterFailures } from './failures.ts'
import { createImageResponse, type EncodedImage } from './image-response.ts'
import { resolveItemRendering, type ItemRendering } from './item-rendering.ts'
import type { StyleParameters } from './style/render-style.ts'
import { chooseResampling, resolveStyle } from './style/resolve-style.ts'
import { toImageFormat, requireTileInGrid, type TileCoordinates } from './tile.ts'
import { withTimeout } from './within-time.ts'
import { getCallerRasterJobRunner } from './raster-pool.ts'

/** A request for one tile of several items. */
export interface CollectionTileRequest extends TileCoordinates {
  readonly format: 'png' | 'jpeg' | 'jpg' | 'webp'
  readonly quality: number
  /** Applied to the items that have it; others use their default. */
  readonly profile?: string | null
  readonly default_stretch?: StyleParameters['stretch']
}

/**
 * Renders a tile of overlapping items, the first on top, each styled as it would be alone; items that cannot be rendered
 * are skipped. Without any item the tile is transparent. Throws `budget-exceeded` if all together exceed the limits of one
 * tile.
 */
export async function renderCollectionTile(
  call: Call,
  items: readonly ItemRow[],
  request: CollectionTileRequest,
): Promise<BytesResponse> {
  requireTileInGrid(request)
  const renderings: ItemRendering[] = []
  for (const item of items) {
    const rendering = await resolveIfRenderable(call, item, request)
    if (rendering) renderings.push(rendering)
  }
  const { z, x, y, quality } = request
  const tileOptions = { z, x, y, size: 256, format: toImageFormat(request.format), quality } as const
  const contentHashes = await convertRasterFailures(() =>
    Promise.all(renderings.map(({ asset }) => computeAssetContentTag(call, asset))),
  )
  const cacheParameters = {
    ...tileOptions,
    parts: renderings.map(({ parameters, bands }) => ({ words: parameters, bands })),
  }
  const sourceHash = contentHashes.includes(null) ? null : `items ${contentHashes.join(' ')}`
  return createImageResponse(call, sourceHash, cacheParameters, () => renderComposite(call, renderings, tileOptions))
}

async function resolveIfRenderable(
  call: Call,
  item: ItemRow,
  { profile = null, default_stretch }: Pick<CollectionTileRequest, 'profile' | 'default_stretch'>,
): Promise<ItemRendering | null> {
  try {
    return await resolveItemRendering(call, item, { profile, default_stretch })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return profile === null ? null : resolveIfRenderable(call, item, { default_stretch })
  }
}

type CompositeOptions = Omit<RasterJobRequest<'renderComposite'>, 'layers' | 'budget_bytes'>

async function renderComposite(
  call: Call,
  renderings: readonly ItemRendering[],
  tileOptions: CompositeOptions,
): Promise<EncodedImage> {
  const jobs = getCallerRasterJobRunner(call)
  const body = await withTimeout(
    jobs,
    { workName: 'tile', timeout_ms: rasterReadLimits.tile.ms, signal: call.signal },
    async (signal) => {
      // The budget of all items together.
      const budget = createRasterReadBudget('tile')
      const parts = []
      const rasters: Raster[] = []
      for (const { asset, bands, style } of renderings) {
        const raster = await convertRasterFailures(() => openAssetRaster(call, asset, budget))
        const resampling = chooseResampling(raster, bands, style)
        parts.push({
          style: await resolveStyle({ jobs, raster, bands, style, signal }),
          bands: style.bands,
          resampling,
        })
        rasters.push(raster)
      }
      return jobs.run(
        'renderComposite',
        rasters,
        {
          ...tileOptions,
          layers: parts,
          budget_bytes: rasterReadLimits.tile.decoded_bytes,
        },
        { signal },
      )
    },
  )
  return { body, media_type: imageMediaType(tileOptions.format) }
}
