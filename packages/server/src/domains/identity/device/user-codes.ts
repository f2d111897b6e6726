import { randomIntegerBelow } from '../../../platform/ids.ts'

/**
 * The letters of RFC 8628 6.1: no vowels, which could form words, and nothing that looks like another letter or a digit. Eight of
 * them are 34 bits, which live for minutes and are guessed by signed-in users only.
 */
const letters = 'BCDFGHJKLMNPQRSTVWXZ'
const length = 8

/** A code that a person types, such as `WDJB-MJHT`. */
export const createUserCode = (): string =>
  formatUserCode(Array.from({ length }, () => letters[Math.floor(randomIntegerBelow(letters.length))]).join(''))

const formatUserCode = (code: string): string => `${code.slice(0, length / 2)}-${code.slice(length / 2)}`

const pattern = new RegExp(`^[${letters}]{${length}}$`)

/** Normalizes a code that a user has entered, in any case and with any separators; null for another text. */
export function readUserCode(text: string): string | null {
  const code = text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')
  return pattern.test(code) ? formatUserCode(code) : null
}
