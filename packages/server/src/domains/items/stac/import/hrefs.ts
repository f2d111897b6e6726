import type { IsInternalUrl } from '../../../../platform/integrations/integrations.ts'
import { isString } from './document.ts'

/** URL schemes of asset hrefs. The platform fetches https only; the others are stored for clients. */
const assetSchemes: ReadonlySet<string> = new Set(['https:', 'http:', 's3:', 'gs:', 'az:', 'abfs:', 'abfss:', 'ftp:'])
const linkSchemes: ReadonlySet<string> = new Set([...assetSchemes, 'mailto:'])

/** Maximum length of an href. */
const max_href_length = 2000

/** A relative href below the item's folder: no root, no parent folder. */
const isRelativeName = (text: string): boolean =>
  /^(\.\/)*[^/\\:?#\s][^\\:\s]*$/.test(text) && !text.split(/[/?#]/).includes('..')

const parseUrl = (text: string, base: string | null): URL | null =>
  base === null ? (URL.canParse(text) ? new URL(text) : null) : URL.canParse(text, base) ? new URL(text, base) : null

/**
 * The href of an asset: absolute, resolved against the item's own URL, or else relative to the item. Null for anything
 * else, such as `file:` URLs and those of internal hosts.
 *
 * @param self the item's own absolute URL; null if it has none.
 */
export function resolveAssetHref(href: unknown, self: string | null, isInternalUrl: IsInternalUrl): string | null {
  if (!isString(href) || href === '' || href.length > max_href_length || /[\u0000-\u0020]/.test(href)) return null
  const url = parseUrl(href, self)
  if (!url) return isRelativeName(href) ? href : null
  if (!assetSchemes.has(url.protocol) || url.username || url.password) return null
  const absolute = URL.canParse(href) ? href : url.href
  return isInternalUrl(absolute) ? null : absolute
}

/** True for an absolute URL that is allowed in links. */
export const isAbsoluteLink = (href: unknown, isInternalUrl: IsInternalUrl): href is string =>
  isString(href) && URL.canParse(href) && resolveLinkHref(href, null, isInternalUrl) !== null

/** The href of a link: absolute, resolved against the item's own URL, or else relative to the item. Null otherwise. */
export function resolveLinkHref(href: unknown, self: string | null, isInternalUrl: IsInternalUrl): string | null {
  if (!isString(href) || href === '' || href.length > max_href_length || /[\u0000-\u0020]/.test(href)) return null
  const url = parseUrl(href, self)
  if (!url) return isRelativeName(href) ? href : null
  if (!linkSchemes.has(url.protocol)) return null
  const absolute = URL.canParse(href) ? href : url.href
  return isInternalUrl(absolute) ? null : absolute
}
