import type { TextFolding } from './ast.ts'

/** Single characters that are translated to single characters in one pass. */
export interface CharacterTranslation {
  /** A regular expression that matches texts containing any of these characters; null: always translate. */
  readonly pattern: string | null
  /** Each character of `from` becomes the one at the same index of `to`; early ones are found fastest. */
  readonly from: string
  readonly to: string
}

/** Removes case or accents: first one-to-one translations, then expansions to several characters. */
export interface CharacterFoldingMap {
  readonly translations: readonly CharacterTranslation[]
  readonly expansions: readonly (readonly [letter: string, letters: string])[]
  readonly characters: ReadonlyMap<string, string>
}

type CharacterPair = readonly [letter: string, instead: string]

const createTranslation = (pattern: string | null, pairs: readonly CharacterPair[]): CharacterTranslation => ({
  pattern,
  from: pairs.map(([letter]) => letter).join(''),
  to: pairs.map(([, instead]) => instead).join(''),
})

const isSingleCharacter = (text: string): boolean =>
  text.length === String.fromCodePoint(text.codePointAt(0) ?? 0).length

/** Unicode case folding of one character: lower case of its upper case. The dotless ı stays distinct. */
function foldCharacter(letter: string): string {
  if (letter === 'ı') return letter
  const folded = letter.toUpperCase().toLowerCase()
  if (isSingleCharacter(folded)) return folded
  const lower = letter.toLowerCase()
  return isSingleCharacter(lower) ? lower : letter
}

const range = (first: number, last: number): string[] =>
  Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index))

const casePairs = (letters: readonly string[]): CharacterPair[] =>
  letters.map((letter) => [letter, foldCharacter(letter)] as const).filter(([letter, folded]) => folded !== letter)

const identityPairs = (letters: readonly string[]): CharacterPair[] => letters.map((letter) => [letter, letter])

const asciiCharacters = (): string[] => range(0x20, 0x7e)
const latinGreekCyrillic = (): string[] => range(0x80, 0x52f)
/** The ranges in between have no case: Asian scripts, symbols and surrogates. */
const otherCasedAlphabets = (): string[] =>
  [range(0x530, 0x2fff), range(0xa640, 0xabbf), range(0xfb00, 0xff5a), range(0x1_0400, 0x1_e943)].flat()

const commonAscii = [' ', ...'etaoinsrldhcumpfgybvkwzxjq0123456789-_.,/:()']
const vietnamese = [...'ạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ']

/** Common characters come first, unchanged, because translate() searches its table from the front. */
const commonCases = (): CharacterPair[] => [
  ...identityPairs(commonAscii),
  ...identityPairs(range(0x430, 0x44f)),
  ...casePairs(range(0x410, 0x42f)),
  ...identityPairs(range(0x3b1, 0x3c9).filter((letter) => letter !== 'ς')),
  ...identityPairs([...'éèáàâäãåçíîïñóòôöõøúùûüßýğışčćđžšłńśźżąęőűřěůňťďľĺŕăâîșțơưά']),
  ...identityPairs(vietnamese),
]

const rareCases = (letters: readonly string[]): CharacterPair[] => {
  const commonCharacters = new Set(commonCases().map(([letter]) => letter))
  return casePairs(letters).filter(([letter]) => !commonCharacters.has(letter))
}

const ligatures = ['ff', 'fi', 'fl', 'ffi', 'ffl', 'st', 'st'].map(
  (letters, index) => [String.fromCodePoint(0xfb00 + index), letters] as const,
)

const createCaseMap = (): CharacterFoldingMap => ({
  translations: [
    createTranslation('[\\u0080-\\u052f]', [...commonCases(), ...rareCases(latinGreekCyrillic())]),
    createTranslation('[\\u0530-\\u2fff\\ua640-\\uabbf\\ufb00-\\uff5a\\U00010400-\\U0001e943]', [
      ...identityPairs([...commonAscii, ...vietnamese]),
      ...rareCases(otherCasedAlphabets()),
    ]),
  ],
  expansions: [['ß', 'ss'], ['İ', 'i̇'], ['ŉ', 'ʼn'], ['և', 'եւ'], ...ligatures],
  characters: new Map(casePairs([...asciiCharacters(), ...latinGreekCyrillic(), ...otherCasedAlphabets()])),
})

/** Letters with a stroke, which canonical decomposition does not separate. */
const strokePairs = (): CharacterPair[] =>
  'ØO øo ŁL łl ĐD đd ÐD ðd ĦH ħh ŦT ŧt ıi ɃB ƀb ȻC ȼc ɆE ɇe ǤG ǥg ƗI ɨi ɈJ ɉj ȽL ƚl ɌR ɍr ȾT ⱦt ɎY ɏy ƵZ ƶz ȺA ⱥa'
    .split(' ')
    .map((pair) => [...pair] as [string, string])

const createAccentMap = (): CharacterFoldingMap => ({
  translations: [createTranslation(null, strokePairs())],
  expansions: [
    ['Æ', 'AE'],
    ['æ', 'ae'],
    ['Œ', 'OE'],
    ['œ', 'oe'],
    ['ß', 'ss'],
    ['ẞ', 'SS'],
    ['Þ', 'Th'],
    ['þ', 'th'],
  ],
  characters: new Map(strokePairs()),
})

const mapFactories: Readonly<Record<TextFolding, () => CharacterFoldingMap>> = {
  casei: createCaseMap,
  accenti: createAccentMap,
}
const characterMaps = new Map<TextFolding, CharacterFoldingMap>()

/** Created on first use, so that startup does not build the tables of all scripts. */
export function getTextFoldingMap(folding: TextFolding): CharacterFoldingMap {
  const table = characterMaps.get(folding) ?? mapFactories[folding]()
  characterMaps.set(folding, table)
  return table
}

/** The Unicode blocks of combining diacritical marks, as a regex class valid in JavaScript and PostgreSQL. */
export const combiningMarks = '[\\u0300-\\u036f\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe20-\\ufe2f]'

const combiningMarksPattern = new RegExp(combiningMarks, 'gu')

function replaceCharacters(text: string, { characters, expansions }: CharacterFoldingMap): string {
  const replaced = [...text].map((letter) => characters.get(letter) ?? letter).join('')
  return expansions.reduce((result, [letter, letters]) => result.replaceAll(letter, letters), replaced)
}

/**
 * The result of CASEI or ACCENTI: texts that differ only by case or accents become equal. `foldedTextSql` does the same
 * for properties in the database. ACCENTI: canonical decomposition, removal of combining marks, composition, and letters
 * with a stroke replaced by those without.
 */
export function foldTextCaseOrAccents(text: string, folding: TextFolding): string {
  if (folding === 'casei') return replaceCharacters(text, getTextFoldingMap(folding))
  return replaceCharacters(
    text.normalize('NFD').replaceAll(combiningMarksPattern, '').normalize('NFC'),
    getTextFoldingMap(folding),
  )
}
