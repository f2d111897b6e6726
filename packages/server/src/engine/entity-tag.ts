import { createHash } from 'node:crypto'

/** The strong entity tag of a text: equal texts have equal tags. */
export const entityTag = (text: string): string =>
  `"${createHash('sha256').update(text).digest('base64url').slice(0, 32)}"`

/**
 * True if an `If-Match` header lists the tag or `*`. A compressed response has a weak tag for the same content, so the weak
 * prefix is ignored.
 */
export const ifMatchIncludes = (header: string, tag: string): boolean =>
  header.split(',').some((candidate) => candidate.trim() === '*' || candidate.trim().replace(/^W\//, '') === tag)
