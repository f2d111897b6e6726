import type { Folding } from './tree.ts'

/** How a text is freed of case or of accents: single letters first, then those that become two. */
export interface LetterTable {
  /** The letter at each place of `from` becomes the one at the same place of `to`. */
  readonly from: string
  readonly to: string
  readonly longer: readonly (readonly [letter: string, letters: string])[]
  readonly single: ReadonlyMap<string, string>
}

const tableOf = (single: readonly (readonly [string, string])[], longer: LetterTable['longer']): LetterTable => ({
  single: new Map(single),
  from: single.map(([letter]) => letter).join(''),
  to: single.map(([, letter]) => letter).join(''),
  longer,
})

const isSingle = (text: string): boolean => text.length === String.fromCodePoint(text.codePointAt(0) ?? 0).length

/** Case folding of Unicode, letter by letter: the small form of the capital. The dotless ı keeps its difference. */
function smallLetter(letter: string): string {
  if (letter === 'ı') return letter
  const small = letter.toUpperCase().toLowerCase()
  if (isSingle(small)) return small
  const own = letter.toLowerCase()
  return isSingle(own) ? own : letter
}

/** Alphabets with case end before this code point. */
const beyond_letters = 0x1_ea00

function* lettersWithCase(): Generator<readonly [string, string]> {
  for (let code = 0x41; code < beyond_letters; code += 1) {
    if (code >= 0xd800 && code < 0xe000) continue
    const letter = String.fromCodePoint(code)
    const small = smallLetter(letter)
    if (small !== letter) yield [letter, small]
  }
}

const ligatures = ['ff', 'fi', 'fl', 'ffi', 'ffl', 'st', 'st'].map(
  (letters, index) => [String.fromCodePoint(0xfb00 + index), letters] as const,
)

const cases = tableOf([...lettersWithCase()], [['ß', 'ss'], ['İ', 'i̇'], ['ŉ', 'ʼn'], ['և', 'եւ'], ...ligatures])

/** Letters that canonical decomposition leaves whole, though people write them without their stroke. */
const strokes = tableOf(
  'ØO øo ŁL łl ĐD đd ÐD ðd ĦH ħh ŦT ŧt ıi ɃB ƀb ȻC ȼc ɆE ɇe ǤG ǥg ƗI ɨi ɈJ ɉj ȽL ƚl ɌR ɍr ȾT ⱦt ɎY ɏy ƵZ ƶz ȺA ⱥa'
    .split(' ')
    .map((pair) => [...pair] as [string, string]),
  [
    ['Æ', 'AE'],
    ['æ', 'ae'],
    ['Œ', 'OE'],
    ['œ', 'oe'],
    ['ß', 'ss'],
    ['ẞ', 'SS'],
    ['Þ', 'Th'],
    ['þ', 'th'],
  ],
)

export const letterTables: Readonly<Record<Folding, LetterTable>> = { casei: cases, accenti: strokes }

/** The blocks of combining diacritical marks, as a class of a regular expression that both languages read alike. */
export const marks = '[\\u0300-\\u036f\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe20-\\ufe2f]'

const everyMark = new RegExp(marks, 'gu')

function replaceLetters(text: string, { single, longer }: LetterTable): string {
  const replaced = [...text].map((letter) => single.get(letter) ?? letter).join('')
  return longer.reduce((result, [letter, letters]) => result.replaceAll(letter, letters), replaced)
}

/**
 * The text as CASEI or ACCENTI make it, so that texts which differ by case or accents alone become equal; what the
 * database does to properties, see `foldedText`. ACCENTI: canonical decomposition, without combining marks, composed
 * again, and letters with a stroke as those without.
 */
export function fold(text: string, how: Folding): string {
  if (how === 'casei') return replaceLetters(text, cases)
  return replaceLetters(text.normalize('NFD').replaceAll(everyMark, '').normalize('NFC'), strokes)
}
