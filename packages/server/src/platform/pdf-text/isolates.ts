/**
 * Isolates of the Unicode Bidirectional Algorithm: the text between them has a direction of its own, and does not
 * change the order of the text around it.
 */
const rightToLeftIsolate = '\u2067'
const firstStrongIsolate = '\u2068'
const popIsolate = '\u2069'

/** True for a character that begins or ends an isolate; it is not seen. */
export const isBidiIsolate = (character: string): boolean => /^[\u2066-\u2069]$/.test(character)

/** A name inside of a text in another language, so that both are read in their own direction. */
export const isolateBidiText = (name: string): string =>
  `${firstStrongIsolate}${name.replaceAll(/[\u2066-\u2069]/g, '')}${popIsolate}`

/** A line of a text that is read from right to left, also if the line itself begins with a number or a Latin word. */
export const isolateRightToLeftLine = (line: string): string => `${rightToLeftIsolate}${line}${popIsolate}`
