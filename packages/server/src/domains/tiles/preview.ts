import { imageMediaType, type ImageFormat, type Raster } from '@swath/raster'
import type { RasterBandMetadata } from '../items/assets/raster-metadata.ts'
import { rasterReadLimits } from '../items/search/read-limits.ts'
import type { EncodedImage } from './image-response.ts'
import { parseRenderStyle, type RenderStyle } from './style/render-style.ts'
import { resolveStyle } from './style/resolve-style.ts'
import { withTimeout } from './within-time.ts'
import type { OrganizationRasterJobRunner } from './raster-pool.ts'

const { decoded_bytes: max_bytes, ms: timeout_ms } = rasterReadLimits.image

/** The options of an image of a whole raster. */
export interface PreviewOptions {
  readonly raster: Raster
  readonly bands: readonly RasterBandMetadata[]
  /** The image keeps its aspect ratio and fits into this size; it is never larger than the raster. */
  readonly width: number
  readonly height: number
  readonly style: RenderStyle
  readonly format: ImageFormat
  /** 1 to 100. */
  readonly quality: number
  readonly jobs: OrganizationRasterJobRunner
  readonly signal: AbortSignal
}

/** Renders a JPEG thumbnail with the default style. */
export async function renderThumbnail(
  options: Omit<PreviewOptions, 'style' | 'format' | 'quality'>,
): Promise<Uint8Array> {
  const { body } = await renderRasterPreview({
    ...options,
    style: parseRenderStyle({}, options.bands),
    format: 'jpeg',
    quality: 85,
  })
  return body
}

/**
 * Renders the whole raster in its own grid; pixels without data are transparent, in JPEG white. Throws `budget-exceeded`
 * beyond 256 MiB of decoded pixels or thirty seconds.
 */
export async function renderRasterPreview(options: PreviewOptions): Promise<EncodedImage> {
  const { raster, bands, width, height, style, format, quality, signal } = options
  const scale = Math.min(1, width / raster.width, height / raster.height)
  const toSize = (pixels: number): number => Math.max(1, Math.round(pixels * scale))
  const body = await withTimeout(options.jobs, { workName: 'image', timeout_ms, signal }, async (limitedSignal) => {
    const styleOptions = {
      style: await resolveStyle({ jobs: options.jobs, raster, bands, style, signal: limitedSignal }),
      format,
      quality,
    } as const
    const window = { width: toSize(raster.width), height: toSize(raster.height), bands: style.bands }
    return options.jobs.run(
      'renderPreview',
      [raster],
      {
        ...window,
        ...styleOptions,
        budget_bytes: max_bytes,
      },
      { signal: limitedSignal },
    )
  })
  return { body, media_type: imageMediaType(format) }
}
