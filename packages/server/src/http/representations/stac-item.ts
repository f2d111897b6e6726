import { entityTag } from '../../engine/entity-tag.ts'
import { joinText, jsonTextOf, type ToRepresentation, type Representation } from './representation.ts'

/** A STAC Item with the entity tag that `If-Match` is compared with. */
export const toStacItem: ToRepresentation = (result) => {
  const text = joinText(jsonTextOf(result))
  return {
    status: result.kind === 'json' ? result.status : 200,
    media_type: 'application/geo+json; charset=utf-8',
    headers: { etag: entityTag(text) },
    body: text,
  }
}

interface ItemLinks {
  readonly type: string
  readonly id: string
  readonly collection?: string | null
  readonly links: readonly { readonly rel: string; readonly href: string }[]
}

/** A created STAC Item with its Location, as the Transaction extension requires. */
export const toCreatedStacItem: ToRepresentation = (result, url): Representation => {
  const representation = toStacItem(result, url)
  const { type, id, collection, links } = JSON.parse(representation.body as string) as ItemLinks
  if (type !== 'Feature') return { ...representation, headers: {} }
  const root = links.find(({ rel }) => rel === 'root')?.href ?? ''
  const location = `${root}/collections/${collection}/items/${encodeURIComponent(id)}`
  return { ...representation, headers: { ...representation.headers, location } }
}

/** 204 without a body; an Item that remains has its new entity tag. */
export const toNoContent: ToRepresentation = (result): Representation => {
  const text = joinText(jsonTextOf(result))
  const { type } = JSON.parse(text) as { type?: string }
  const headers: Record<string, string> = type === 'Feature' ? { etag: entityTag(text) } : {}
  return { status: 204, media_type: null, headers, body: null }
}
