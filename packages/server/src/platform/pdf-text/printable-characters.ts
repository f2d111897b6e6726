import { isBidiIsolate } from './isolates.ts'

/**
 * Characters that are not drawn but choose the form of the letters beside them: the joiners of Arabic and Indic scripts, and the
 * variation selectors of Mongolian. No typeface needs to have them.
 */
export const isShapingControl = (character: string): boolean => /^(?:[\u180b-\u180f]|\u200c|\u200d)$/.test(character)

export const removeShapingControls = (text: string): string => Array.from(text).filter((one) => !isShapingControl(one)).join('') // prettier-ignore

/** True for a character that is drawn. */
export const isVisibleCharacter = (character: string): boolean =>
  !isShapingControl(character) && !isBidiIsolate(character)

/**
 * Normal form C, which has one character for a letter with its accents where there is one; one line, without characters that are
 * not seen, except for those that the order or the form of letters needs.
 */
export const normalizePrintableLine = (text: string): string =>
  text
    .normalize('NFC')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\p{Cc}|(?![\u2066-\u2069\u180b-\u180f]|\u200c|\u200d)\p{Default_Ignorable_Code_Point}/gu, '')

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Characters as readers count them: a letter with its marks is one. */
export const splitGraphemes = (text: string): string[] => Array.from(graphemes.segment(text), ({ segment }) => segment)
