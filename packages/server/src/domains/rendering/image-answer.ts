import { createHash } from 'node:crypto'
import { bytes, type BytesAnswer } from '../../engine/answer.ts'

/**
 * A picture with a tag that changes when its source or the way it was drawn changes. Only the caller may keep it: others
 * may not see the same item.
 *
 * @param source what the pixels are, such as the checksum of the file; null where that is not known: the tag then
 * follows from the picture itself.
 */
export function imageAnswer(
  picture: { readonly body: Uint8Array; readonly media_type: string },
  source: string | null,
  drawn: Readonly<Record<string, unknown>>,
): BytesAnswer {
  const hash = createHash('sha256').update(JSON.stringify([source, drawn]))
  if (source === null) hash.update(picture.body)
  const tag = hash.digest('base64url').slice(0, 32)
  return bytes(picture.body, picture.media_type, {
    etag: `"${tag}"`,
    'cache-control': 'private, max-age=3600',
    vary: 'authorization, x-api-key',
  })
}
