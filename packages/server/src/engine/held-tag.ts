const bare = (tag: string): string => tag.trim().replace(/^W\//, '')

/** True where a header `If-None-Match` names the tag, or any (RFC 9110, 13.1.2: weakly compared). */
export const holdsTag = (asked: string | null | undefined, etag: string): boolean =>
  !!asked && asked.split(',').some((tag) => tag.trim() === '*' || bare(tag) === bare(etag))
