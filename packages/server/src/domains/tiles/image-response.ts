import { defineService } from '../../engine/process-services.ts'
import { createHash } from 'node:crypto'
import { createTileCache, type TileCache } from '@swath/raster'
import type { Call } from '../../engine/call.ts'
import { createBytesResponse, type BytesResponse } from '../../engine/operation-response.ts'
import { ifNoneMatchIncludes } from '../../engine/entity-tag.ts'

/** An encoded image. */
export interface EncodedImage {
  readonly body: Uint8Array
  readonly media_type: string
}

/** Recently rendered images by tag; access is checked before it is read. */
export const imageCacheServiceKey = defineService<TileCache>('images')

export const createImageCache = (max_bytes: number): TileCache => createTileCache({ bytes: max_bytes })

/** Rises when equal parameters no longer give equal pixels, so that no cache has those of before. 2: the natural stretch. */
const rendering_version = 2

/**
 * The response for an image, with an ETag that changes with its source and rendering parameters; it is rendered only if it is
 * not cached, and not sent if the client has it. Only private caches may store it: others may not see the same item.
 *
 * @param source identifies the pixels, such as the checksum of the file; null if unknown: the image is then rendered anew,
 * and its ETag is its hash.
 * @param parameters everything else that the image depends on.
 */
export async function createImageResponse(
  { processServices, ifNoneMatch }: Pick<Call, 'processServices' | 'ifNoneMatch'>,
  source: string | null,
  parameters: Readonly<Record<string, unknown>>,
  render: () => Promise<EncodedImage>,
): Promise<BytesResponse> {
  if (source === null) {
    const image = await render()
    return toResponse(image, createHash('sha256').update(image.body).digest('base64url'))
  }
  const tag = createHash('sha256')
    .update(JSON.stringify([rendering_version, source, parameters]))
    .digest('base64url')
  // The HTTP adapter sends no body if the ETag matches.
  if (ifNoneMatchIncludes(ifNoneMatch, toEtag(tag)))
    return toResponse({ body: emptyBody, media_type: 'image/png' }, tag)
  const cached = processServices.get(imageCacheServiceKey).get(tag)
  if (cached) return toResponse({ body: cached.bytes, media_type: cached.mediaType }, tag)
  const image = await render()
  processServices.get(imageCacheServiceKey).set(tag, { bytes: image.body, mediaType: image.media_type })
  return toResponse(image, tag)
}

const emptyBody = new Uint8Array(0)

const toEtag = (tag: string): string => `"${tag.slice(0, 32)}"`

/** Short-lived, since a profile may change; then the ETag saves rendering and sending. */
const cacheControl = 'private, max-age=300'

const toResponse = ({ body, media_type }: EncodedImage, tag: string): BytesResponse =>
  createBytesResponse(body, media_type, {
    etag: toEtag(tag),
    'cache-control': cacheControl,
    vary: 'authorization, x-api-key',
  })
