import { createHash } from 'node:crypto'
import { createTileCache } from '@swath/raster'
import { bytes, type BytesAnswer } from '../../engine/answer.ts'
import { holdsTag } from '../../engine/held-tag.ts'

/** An encoded image. */
export interface EncodedPicture {
  readonly body: Uint8Array
  readonly media_type: string
}

/** A conditional request: an image that the client has cached is not rendered. */
export interface PictureAsker {
  readonly ifNoneMatch?: string | null
}

/** The cache of recently rendered images by tag; access is checked before it is read. */
let kept = createTileCache({ bytes: 64 * 1024 * 1024 })

/** Sets the size of the cache and clears it. */
export function keepPictures(limit_bytes: number): void {
  kept = createTileCache({ bytes: limit_bytes })
}

/**
 * The response for an image, with an ETag that changes with its source and rendering parameters; it is rendered only if it is
 * not cached, and not sent if the client has it. Only private caches may store it: others may not see the same item.
 *
 * @param source identifies the pixels, such as the checksum of the file; null if unknown: the image is then rendered anew,
 * and its ETag is its hash.
 * @param parameters everything else that the image depends on.
 */
export async function imageAnswer(
  source: string | null,
  drawn: Readonly<Record<string, unknown>>,
  draw: () => Promise<EncodedPicture>,
  asker: PictureAsker = {},
): Promise<BytesAnswer> {
  if (source === null) {
    const picture = await draw()
    return answerOf(picture, createHash('sha256').update(picture.body).digest('base64url'))
  }
  const tag = createHash('sha256')
    .update(JSON.stringify([source, drawn]))
    .digest('base64url')
  // The HTTP adapter sends no body if the ETag matches.
  if (holdsTag(asker.ifNoneMatch, etagOf(tag))) return answerOf({ body: nothing, media_type: 'image/png' }, tag)
  const known = kept.get(tag)
  if (known) return answerOf({ body: known.bytes, media_type: known.mediaType }, tag)
  const picture = await draw()
  kept.set(tag, { bytes: picture.body, mediaType: picture.media_type })
  return answerOf(picture, tag)
}

const nothing = new Uint8Array(0)

const etagOf = (tag: string): string => `"${tag.slice(0, 32)}"`

/** Short-lived, since a profile may change; then the ETag saves rendering and sending. */
const freshness = 'private, max-age=300'

const answerOf = ({ body, media_type }: EncodedPicture, tag: string): BytesAnswer =>
  bytes(body, media_type, {
    etag: etagOf(tag),
    'cache-control': freshness,
    vary: 'authorization, x-api-key',
  })
