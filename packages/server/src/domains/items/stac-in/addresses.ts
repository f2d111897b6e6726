import { isText } from './document.ts'

/** Where files may lie. We fetch by https alone; the others are kept for clients that know them. */
const schemes: ReadonlySet<string> = new Set(['https:', 'http:', 's3:', 'gs:', 'az:', 'abfs:', 'abfss:', 'ftp:'])
const linkSchemes: ReadonlySet<string> = new Set([...schemes, 'mailto:'])

/** The longest address that is kept. */
const longest = 2000

/** A relative address that is a name below wherever the item lay: it climbs nowhere and begins at no root. */
const isNameBelow = (text: string): boolean =>
  /^(\.\/)*[^/\\:?#\s][^\\:\s]*$/.test(text) && !text.split(/[/?#]/).includes('..')

const parsed = (text: string, base: string | null): URL | null =>
  base === null ? (URL.canParse(text) ? new URL(text) : null) : URL.canParse(text, base) ? new URL(text, base) : null

/**
 * The address of a file: whole, or told from where the item itself lay, or else the name that it has beside the item.
 * Null for anything that leads elsewhere, such as to this machine.
 *
 * @param self the item's own whole address; null where it gives none.
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

/** True for a whole address that a link may have. */
export const isWholeLink = (href: unknown): href is string =>
  isText(href) && URL.canParse(href) && linkAddress(href, null) !== null

/** The address of a link: whole, or told from where the item itself lay, or else a name beside the item. Null for anything else. */
export function linkAddress(href: unknown, self: string | null): string | null {
  if (!isText(href) || href === '' || href.length > longest || /[\u0000-\u0020]/.test(href)) return null
  const url = parsed(href, self)
  if (!url) return isNameBelow(href) ? href : null
  if (!linkSchemes.has(url.protocol)) return null
  return URL.canParse(href) ? href : url.href
}
