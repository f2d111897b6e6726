import { readFile } from 'node:fs/promises'
import { isIsolate } from './isolates.ts'
import { findFontFile, listFontFiles, type FontFile } from './font-files.ts'

export type FontWeight = 400 | 700

/** The fonts of one document: a static TrueType font of each file and weight with the characters of the document. */
export interface DocumentFonts {
  readonly fonts: readonly { readonly name: string; readonly bytes: Buffer }[]
  /** The name of the font that has a character; the text must be among those that the fonts were made for. */
  nameOf(character: string, weight: FontWeight): string
  /**
   * The text in composed form, without characters that are not seen, except for isolates, which the order of the letters needs; `?`
   * stands for a character that no typeface has.
   */
  toPrintable(text: string): string
}

/** What a document may contain besides its texts: numbers, units and marks of its layout. */
const layoutCharacters = Array.from({ length: 95 }, (_, at) => String.fromCodePoint(32 + at)).join('') + '–—…·°²×'

/**
 * Makes the fonts for the texts of a document. A whole typeface has megabytes for Chinese and Japanese; a document embeds the
 * glyphs that it shows.
 */
export async function makeDocumentFonts(texts: readonly string[]): Promise<DocumentFonts> {
  // Loaded on first use: its WebAssembly modules would slow down the start of the server.
  const { default: subsetFont } = await import('subset-font')
  const files = await listFontFiles()
  const fileOf = new Map<string, FontFile>()
  for (const character of new Set(layoutCharacters + texts.map(compose).join(''))) {
    const file = isIsolate(character) ? null : findFontFile(files, character.codePointAt(0)!)
    if (file) fileOf.set(character, file)
  }
  const charactersOf = Map.groupBy(fileOf.keys(), (character) => fileOf.get(character)!)
  const fonts: { name: string; bytes: Buffer }[] = []
  for (const [file, characters] of charactersOf) {
    const source = await readFile(file.path)
    for (const weight of [400, 700] as const) {
      const options = { targetFormat: 'truetype', variationAxes: { wght: weight } } as const
      fonts.push({ name: fontName(file, weight), bytes: await subsetFont(source, withParts(characters), options) })
    }
  }
  return {
    fonts,
    nameOf: (character, weight) => fontName(fileOf.get(character) ?? fileOf.get('?')!, weight),
    toPrintable: (text) =>
      Array.from(compose(text), (character) => (fileOf.has(character) || isIsolate(character) ? character : '?')).join(
        '',
      ),
  }
}

/** The characters, and the ones that they are composed of: shaping divides vowels that stand on two sides of their letter. */
const withParts = (characters: readonly string[]): string => {
  const text = characters.join('')
  return text + text.normalize('NFD')
}

const fontName = ({ name }: FontFile, weight: FontWeight): string => `${name}-${weight}`

/** Normal form C, which has one character for a letter with its accents where there is one; one line. */
const compose = (text: string): string =>
  text
    .normalize('NFC')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\p{Cc}|\p{Variation_Selector}|(?![\u2066-\u2069])\p{Cf}/gu, '')
