const withoutWeakPrefix = (tag: string): string => tag.trim().replace(/^W\//, '')

/** True if an `If-None-Match` header lists the tag or `*` (RFC 9110, 13.1.2: weak comparison). */
export const ifNoneMatchIncludes = (header: string | null | undefined, etag: string): boolean =>
  !!header && header.split(',').some((tag) => tag.trim() === '*' || withoutWeakPrefix(tag) === withoutWeakPrefix(etag))
