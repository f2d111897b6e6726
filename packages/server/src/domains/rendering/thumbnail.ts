import { imageMediaType, type ImageFormat, type Raster } from '@swath/raster'
import type { WorkOwner } from '../../engine/fair-queue.ts'
import type { BandFacts } from '../items/raster-facts.ts'
import { readLimits } from '../items/read-limits.ts'
import { develop } from './darkroom.ts'
import type { EncodedPicture } from './image-answer.ts'
import { readLook, type Look } from './look.ts'
import { settleLook } from './paint.ts'
import { withinTime } from './within-time.ts'

const { decoded_bytes: limit_bytes, ms: limit_ms } = readLimits.picture

/** The options of an image of a whole raster. */
export interface WholePictureSpec {
  readonly raster: Raster
  readonly bands: readonly BandFacts[]
  /** The image keeps its aspect ratio and fits into this size; it is never larger than the raster. */
  readonly width: number
  readonly height: number
  readonly look: Look
  readonly format: ImageFormat
  /** 1 to 100. */
  readonly quality: number
  readonly owner: WorkOwner
  readonly signal: AbortSignal
}

/** Renders a JPEG thumbnail with the default style. */
export async function drawThumbnail(spec: Omit<WholePictureSpec, 'look' | 'format' | 'quality'>): Promise<Uint8Array> {
  const { body } = await drawWhole({ ...spec, look: readLook({}, spec.bands), format: 'jpeg', quality: 85 })
  return body
}

/**
 * Renders the whole raster in its own grid; pixels without data are transparent, in JPEG white. Throws `budget-exceeded`
 * beyond 256 MiB of decoded pixels or thirty seconds.
 */
export async function drawWhole(spec: WholePictureSpec): Promise<EncodedPicture> {
  const { raster, bands, width, height, look, format, quality, signal } = spec
  const share = Math.min(1, width / raster.width, height / raster.height)
  const size = (pixels: number): number => Math.max(1, Math.round(pixels * share))
  const body = await withinTime('picture', limit_ms, signal, async (limited) => {
    const terms = { look: await settleLook(spec.owner, raster, bands, look, limited), format, quality } as const
    const picture = { width: size(raster.width), height: size(raster.height), bands: look.bands }
    return develop(spec.owner, 'previewPicture', [raster], { ...picture, ...terms, budget_bytes: limit_bytes }, limited)
  })
  return { body, media_type: imageMediaType(format) }
}
