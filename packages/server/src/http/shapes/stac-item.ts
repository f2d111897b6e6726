import { entityTag } from '../../engine/entity-tag.ts'
import { textOf, type Shape, type Shaped } from './shaped.ts'

/** A STAC Item with the entity tag that `If-Match` is compared with. */
export const stacItem: Shape = (outcome) => {
  const text = wholeText(textOf(outcome))
  return {
    status: outcome.form === 'json' ? outcome.status : 200,
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
export const created: Shape = (outcome): Shaped => {
  const shaped = stacItem(outcome)
  const { type, id, collection, links } = JSON.parse(shaped.body as string) as ItemLinks
  if (type !== 'Feature') return { ...shaped, headers: {} }
  const root = links.find(({ rel }) => rel === 'root')?.href ?? ''
  const location = `${root}/collections/${collection}/items/${encodeURIComponent(id)}`
  return { ...shaped, headers: { ...shaped.headers, location } }
}

/** 204 without a body; an Item that remains has its new entity tag. */
export const noContent: Shape = (outcome): Shaped => {
  const text = wholeText(textOf(outcome))
  const { type } = JSON.parse(text) as { type?: string }
  const headers: Record<string, string> = type === 'Feature' ? { etag: entityTag(text) } : {}
  return { status: 204, media_type: null, headers, body: null }
}

const wholeText = (text: ReturnType<typeof textOf>): string => (typeof text === 'string' ? text : [...text].join(''))
