const bare = (tag: string): string => tag.trim().replace(/^W\//, '')

/** True if an `If-None-Match` header lists the tag or `*` (RFC 9110, 13.1.2: weak comparison). */
export const holdsTag = (asked: string | null | undefined, etag: string): boolean =>
  !!asked && asked.split(',').some((tag) => tag.trim() === '*' || bare(tag) === bare(etag))
