import { createHash } from 'node:crypto'
import { createTileCache } from '@swath/raster'
import { bytes, type BytesAnswer } from '../../engine/answer.ts'

/** An encoded picture. */
export interface EncodedPicture {
  readonly body: Uint8Array
  readonly media_type: string
}

const limit_kept_bytes = 64 * 1024 * 1024

/** Pictures that were asked for last, by tag: whoever may see one of them is decided before. */
const kept = createTileCache({ bytes: limit_kept_bytes })

/**
 * A picture with a tag that changes when its source or the way it is drawn changes; drawn only where it is not kept from
 * before. Only the caller may keep it: others may not see the same item.
 *
 * @param source what the pixels are, such as the checksum of the file; null where that is not known: the picture is then
 * drawn anew, and its tag follows from it.
 * @param drawn everything else that the picture depends on.
 */
export async function imageAnswer(
  source: string | null,
  drawn: Readonly<Record<string, unknown>>,
  draw: () => Promise<EncodedPicture>,
): Promise<BytesAnswer> {
  if (source === null) {
    const picture = await draw()
    return answerOf(picture, createHash('sha256').update(picture.body).digest('base64url'))
  }
  const tag = createHash('sha256')
    .update(JSON.stringify([source, drawn]))
    .digest('base64url')
  const known = kept.get(tag)
  if (known) return answerOf({ body: known.bytes, media_type: known.mediaType }, tag)
  const picture = await draw()
  kept.set(tag, { bytes: picture.body, mediaType: picture.media_type })
  return answerOf(picture, tag)
}

const answerOf = ({ body, media_type }: EncodedPicture, tag: string): BytesAnswer =>
  bytes(body, media_type, {
    etag: `"${tag.slice(0, 32)}"`,
    'cache-control': 'private, max-age=3600',
    vary: 'authorization, x-api-key',
  })
