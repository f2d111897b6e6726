import type { Folding } from './tree.ts'

/** Single characters that are translated to single characters in one pass. */
export interface LetterPart {
  /** A regular expression that matches texts containing any of these characters; null: always translate. */
  readonly among: string | null
  /** Each character of `from` becomes the one at the same index of `to`; early ones are found fastest. */
  readonly from: string
  readonly to: string
}

/** Removes case or accents: first one-to-one translations, then expansions to several characters. */
export interface LetterTable {
  readonly parts: readonly LetterPart[]
  readonly longer: readonly (readonly [letter: string, letters: string])[]
  readonly single: ReadonlyMap<string, string>
}

type Pair = readonly [letter: string, instead: string]

const partOf = (among: string | null, pairs: readonly Pair[]): LetterPart => ({
  among,
  from: pairs.map(([letter]) => letter).join(''),
  to: pairs.map(([, instead]) => instead).join(''),
})

const isSingle = (text: string): boolean => text.length === String.fromCodePoint(text.codePointAt(0) ?? 0).length

/** Unicode case folding of one character: lower case of its upper case. The dotless ı stays distinct. */
function smallLetter(letter: string): string {
  if (letter === 'ı') return letter
  const small = letter.toUpperCase().toLowerCase()
  if (isSingle(small)) return small
  const own = letter.toLowerCase()
  return isSingle(own) ? own : letter
}

const range = (first: number, last: number): string[] =>
  Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index))

const withCase = (letters: readonly string[]): Pair[] =>
  letters.map((letter) => [letter, smallLetter(letter)] as const).filter(([letter, small]) => small !== letter)

const identical = (letters: readonly string[]): Pair[] => letters.map((letter) => [letter, letter])

const plain = (): string[] => range(0x20, 0x7e)
const latinGreekCyrillic = (): string[] => range(0x80, 0x52f)
/** The ranges in between have no case: Asian scripts, symbols and surrogates. */
const furtherAlphabets = (): string[] =>
  [range(0x530, 0x2fff), range(0xa640, 0xabbf), range(0xfb00, 0xff5a), range(0x1_0400, 0x1_e943)].flat()

const plainLetters = [' ', ...'etaoinsrldhcumpfgybvkwzxjq0123456789-_.,/:()']
const vietnamese = [...'ạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ']

/** Common characters come first, unchanged, because translate() searches its table from the front. */
const commonCases = (): Pair[] => [
  ...identical(plainLetters),
  ...identical(range(0x430, 0x44f)),
  ...withCase(range(0x410, 0x42f)),
  ...identical(range(0x3b1, 0x3c9).filter((letter) => letter !== 'ς')),
  ...identical([...'éèáàâäãåçíîïñóòôöõøúùûüßýğışčćđžšłńśźżąęőűřěůňťďľĺŕăâîșțơưά']),
  ...identical(vietnamese),
]

const rareCases = (letters: readonly string[]): Pair[] => {
  const known = new Set(commonCases().map(([letter]) => letter))
  return withCase(letters).filter(([letter]) => !known.has(letter))
}

const ligatures = ['ff', 'fi', 'fl', 'ffi', 'ffl', 'st', 'st'].map(
  (letters, index) => [String.fromCodePoint(0xfb00 + index), letters] as const,
)

const cases = (): LetterTable => ({
  parts: [
    partOf('[\\u0080-\\u052f]', [...commonCases(), ...rareCases(latinGreekCyrillic())]),
    partOf('[\\u0530-\\u2fff\\ua640-\\uabbf\\ufb00-\\uff5a\\U00010400-\\U0001e943]', [
      ...identical([...plainLetters, ...vietnamese]),
      ...rareCases(furtherAlphabets()),
    ]),
  ],
  longer: [['ß', 'ss'], ['İ', 'i̇'], ['ŉ', 'ʼn'], ['և', 'եւ'], ...ligatures],
  single: new Map(withCase([...plain(), ...latinGreekCyrillic(), ...furtherAlphabets()])),
})

/** Letters with a stroke, which canonical decomposition does not separate. */
const withoutStroke = (): Pair[] =>
  'ØO øo ŁL łl ĐD đd ÐD ðd ĦH ħh ŦT ŧt ıi ɃB ƀb ȻC ȼc ɆE ɇe ǤG ǥg ƗI ɨi ɈJ ɉj ȽL ƚl ɌR ɍr ȾT ⱦt ɎY ɏy ƵZ ƶz ȺA ⱥa'
    .split(' ')
    .map((pair) => [...pair] as [string, string])

const strokes = (): LetterTable => ({
  parts: [partOf(null, withoutStroke())],
  longer: [
    ['Æ', 'AE'],
    ['æ', 'ae'],
    ['Œ', 'OE'],
    ['œ', 'oe'],
    ['ß', 'ss'],
    ['ẞ', 'SS'],
    ['Þ', 'Th'],
    ['þ', 'th'],
  ],
  single: new Map(withoutStroke()),
})

const makers: Readonly<Record<Folding, () => LetterTable>> = { casei: cases, accenti: strokes }
const made = new Map<Folding, LetterTable>()

/** Created on first use, so that startup does not build the tables of all scripts. */
export function letterTable(how: Folding): LetterTable {
  const table = made.get(how) ?? makers[how]()
  made.set(how, table)
  return table
}

/** The Unicode blocks of combining diacritical marks, as a regex class valid in JavaScript and PostgreSQL. */
export const marks = '[\\u0300-\\u036f\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe20-\\ufe2f]'

const everyMark = new RegExp(marks, 'gu')

function replaceLetters(text: string, { single, longer }: LetterTable): string {
  const replaced = [...text].map((letter) => single.get(letter) ?? letter).join('')
  return longer.reduce((result, [letter, letters]) => result.replaceAll(letter, letters), replaced)
}

/**
 * The result of CASEI or ACCENTI: texts that differ only by case or accents become equal. `foldedTextSql` does the same
 * for properties in the database. ACCENTI: canonical decomposition, removal of combining marks, composition, and letters
 * with a stroke replaced by those without.
 */
export function fold(text: string, how: Folding): string {
  if (how === 'casei') return replaceLetters(text, letterTable(how))
  return replaceLetters(text.normalize('NFD').replaceAll(everyMark, '').normalize('NFC'), letterTable(how))
}
