import type { Folding } from './tree.ts'

/** Single letters that are exchanged for others in one pass. */
export interface LetterPart {
  /** A regular expression; texts that it does not find anything in have none of these letters. Null: all may. */
  readonly among: string | null
  /** The letter at each place of `from` becomes the one at the same place of `to`; the first in them are found fastest. */
  readonly from: string
  readonly to: string
}

/** How a text is freed of case or of accents: single letters first, then those that become several. */
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

/** Case folding of Unicode, letter by letter: the small form of the capital. The dotless ı keeps its difference. */
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
/** What lies between has no case: the scripts of Asia, symbols, and the halves of surrogate pairs. */
const furtherAlphabets = (): string[] =>
  [range(0x530, 0x2fff), range(0xa640, 0xabbf), range(0xfb00, 0xff5a), range(0x1_0400, 0x1_e943)].flat()

const plainLetters = [' ', ...'etaoinsrldhcumpfgybvkwzxjq0123456789-_.,/:()']
const vietnamese = [...'ạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ']

/** Letters that texts are made of stand first, unchanged, since each is looked for from the front of the table. */
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

/** Letters that canonical decomposition leaves whole, though people write them without their stroke. */
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

/** Made when it is needed first: a server that starts does not go through the letters of all scripts. */
export function letterTable(how: Folding): LetterTable {
  const table = made.get(how) ?? makers[how]()
  made.set(how, table)
  return table
}

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
  if (how === 'casei') return replaceLetters(text, letterTable(how))
  return replaceLetters(text.normalize('NFD').replaceAll(everyMark, '').normalize('NFC'), letterTable(how))
}
