import { createHash } from 'node:crypto'
import { createTileCache } from '@swath/raster'
import { bytes, type BytesAnswer } from '../../engine/answer.ts'
import { holdsTag } from '../../engine/held-tag.ts'

/** An encoded picture. */
export interface EncodedPicture {
  readonly body: Uint8Array
  readonly media_type: string
}

/** Who asks for a picture: what they hold already is not drawn for them. */
export interface PictureAsker {
  readonly ifNoneMatch?: string | null
}

/** Pictures that were asked for last, by tag: whoever may see one of them is decided before. */
let kept = createTileCache({ bytes: 64 * 1024 * 1024 })

/** Says how many bytes of pictures are kept; what was kept before is forgotten. */
export function keepPictures(limit_bytes: number): void {
  kept = createTileCache({ bytes: limit_bytes })
}

/**
 * A picture with a tag that changes when its source or the way it is drawn changes; drawn only where it is not kept from
 * before, and not even sent to whoever holds it. Only the caller may keep it: others may not see the same item.
 *
 * @param source what the pixels are, such as the checksum of the file; null where that is not known: the picture is then
 * drawn anew, and its tag follows from it.
 * @param drawn everything else that the picture depends on.
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
  // The door sends no body with a tag that is held.
  if (holdsTag(asker.ifNoneMatch, etagOf(tag))) return answerOf({ body: nothing, media_type: 'image/png' }, tag)
  const known = kept.get(tag)
  if (known) return answerOf({ body: known.bytes, media_type: known.mediaType }, tag)
  const picture = await draw()
  kept.set(tag, { bytes: picture.body, mediaType: picture.media_type })
  return answerOf(picture, tag)
}

const nothing = new Uint8Array(0)

const etagOf = (tag: string): string => `"${tag.slice(0, 32)}"`

/** Soon asked for again, since a profile may have changed; then the tag saves the drawing and the sending. */
const freshness = 'private, max-age=300'

const answerOf = ({ body, media_type }: EncodedPicture, tag: string): BytesAnswer =>
  bytes(body, media_type, {
    etag: etagOf(tag),
    'cache-control': freshness,
    vary: 'authorization, x-api-key',
  })
