import { createHash } from 'node:crypto'

/** The strong entity tag of a text: the same for the same bytes. */
export const entityTag = (text: string): string =>
  `"${createHash('sha256').update(text).digest('base64url').slice(0, 32)}"`

/**
 * True where `If-Match` names the tag, or anything at all. A packed body has a weak tag, which here stands for the same
 * content all the same, so the mark of weakness does not count.
 */
export const isMatch = (asked: string, tag: string): boolean =>
  asked.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === tag)
