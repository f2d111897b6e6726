import { createHash } from 'node:crypto'

/** The strong entity tag of a text: equal texts have equal tags. */
export const computeEntityTag = (text: string | Uint8Array): string =>
  `"${createHash('sha256').update(text).digest('base64url').slice(0, 32)}"`

const withoutWeakPrefix = (tag: string): string => tag.trim().replace(/^W\//, '')

/**
 * True if an `If-Match` header lists the tag or `*`. A compressed response has a weak tag for the same content, so the weak
 * prefix is ignored.
 */
export const ifMatchIncludes = (header: string, etag: string): boolean =>
  header.split(',').some((tag) => tag.trim() === '*' || withoutWeakPrefix(tag) === withoutWeakPrefix(etag))

/** True if an `If-None-Match` header lists the tag or `*` (RFC 9110, 13.1.2: weak comparison). */
export const ifNoneMatchIncludes = (header: string | null | undefined, etag: string): boolean =>
  !!header && ifMatchIncludes(header, etag)
