import { isText } from './document.ts'

/** URL schemes of asset hrefs. The platform fetches https only; the others are kept for clients. */
const schemes: ReadonlySet<string> = new Set(['https:', 'http:', 's3:', 'gs:', 'az:', 'abfs:', 'abfss:', 'ftp:'])
const linkSchemes: ReadonlySet<string> = new Set([...schemes, 'mailto:'])

/** Maximum length of an href. */
const longest = 2000

/** A relative href below the item's folder: no root, no parent folder. */
const isNameBelow = (text: string): boolean =>
  /^(\.\/)*[^/\\:?#\s][^\\:\s]*$/.test(text) && !text.split(/[/?#]/).includes('..')

const parsed = (text: string, base: string | null): URL | null =>
  base === null ? (URL.canParse(text) ? new URL(text) : null) : URL.canParse(text, base) ? new URL(text, base) : null

/**
 * The href of an asset: absolute, resolved against the item's own URL, or else relative to the item. Null for anything
 * else, such as `file:` URLs.
 *
 * @param self the item's own absolute URL; null if it has none.
 */
export function fileAddress(href: unknown, self: string | null): string | null {
  if (!isText(href) || href === '' || href.length > longest || /[\u0000-\u0020]/.test(href)) return null
  const url = parsed(href, self)
  if (url) {
    if (!schemes.has(url.protocol) || url.username || url.password) return null
    return URL.canParse(href) ? href : url.href
  }
  return isNameBelow(href) ? href : null
}

/** True for an absolute URL that is allowed in links. */
export const isWholeLink = (href: unknown): href is string =>
  isText(href) && URL.canParse(href) && linkAddress(href, null) !== null

/** The href of a link: absolute, resolved against the item's own URL, or else relative to the item. Null otherwise. */
export function linkAddress(href: unknown, self: string | null): string | null {
  if (!isText(href) || href === '' || href.length > longest || /[\u0000-\u0020]/.test(href)) return null
  const url = parsed(href, self)
  if (!url) return isNameBelow(href) ? href : null
  if (!linkSchemes.has(url.protocol)) return null
  return URL.canParse(href) ? href : url.href
}
