import createBidi from 'bidi-js'
import { openFontSources, type FontSource } from './font-sources.ts'
import { isIsolate } from './isolates.ts'
import { composeLine, isShapingControl, splitGraphemes } from './printable-characters.ts'
import { createShapedFont, type ShapedFont } from './shaped-font.ts'

export type FontWeight = 400 | 700

/** The fonts of one document: a static TrueType font of each file and weight with the characters of the document. */
export interface DocumentFonts {
  readonly fonts: ReadonlyMap<string, ShapedFont>
  /** The parts of a printable text that are set in one font: letters with their marks. */
  splitUnits(text: string): string[]
  /** The name of the font that has a unit; the text must be among those that the fonts were made for. */
  nameOf(unit: string, weight: FontWeight): string
  /**
   * The text in composed form, without characters that are not seen, except for those that the order or the form of the letters
   * needs; `?` stands for a character that no typeface has.
   */
  toPrintable(text: string): string
}

/** Characters of a document besides its texts: numbers, units and marks of its layout. */
const layoutCharacters = Array.from({ length: 95 }, (_, at) => String.fromCodePoint(32 + at)).join('') + '–—…·°²×'

/** Characters that shaping may add: joiners, the circle of a mark without a letter, the left half of Khmer vowels. */
const shapingCharacters = '\u200c\u200d\u25cc\u17c1'

/**
 * Makes the fonts for the texts of a document. A whole typeface has megabytes for Chinese and Japanese; a document embeds the
 * glyphs that it shows.
 */
export async function makeDocumentFonts(texts: readonly string[]): Promise<DocumentFonts> {
  const sourceOf = await findSources(texts)
  const { getMirroredCharacter } = createBidi()
  const unitsOf = Map.groupBy(sourceOf.keys(), (unit) => sourceOf.get(unit)!)
  const fonts = new Map<string, ShapedFont>()
  for (const [source, units] of unitsOf) {
    const text = units.join('')
    const mirrored = Array.from(text, (character) => getMirroredCharacter(character) ?? '').join('')
    // Shaping divides vowels that stand on two sides of their letter, and mirrors brackets.
    const characters = text + text.normalize('NFKD') + mirrored + shapingCharacters
    for (const weight of [400, 700] as const)
      fonts.set(fontName(source, weight), await createShapedFont(await makeSubset(source, characters, weight)))
  }
  const splitUnits = (text: string): string[] =>
    splitGraphemes(text).flatMap((grapheme) => (sourceOf.has(grapheme) ? [grapheme] : Array.from(grapheme)))
  const toPrintableUnit = (unit: string): string => {
    if (sourceOf.has(unit) || isIsolate(unit)) return unit
    return isShapingControl(unit) ? '' : '?'
  }
  return {
    fonts,
    splitUnits,
    nameOf: (unit, weight) => fontName(sourceOf.get(unit) ?? sourceOf.get('?')!, weight),
    toPrintable: (text) => splitUnits(composeLine(text)).map(toPrintableUnit).join(''),
  }
}

/** The typeface of each letter with its marks; of the single characters of those that no typeface has as a whole. */
async function findSources(texts: readonly string[]): Promise<Map<string, FontSource>> {
  const findFontSource = await openFontSources()
  const sourceOf = new Map<string, FontSource>()
  const add = async (unit: string): Promise<boolean> => {
    const source = sourceOf.get(unit) ?? (await findFontSource(unit))
    if (source) sourceOf.set(unit, source)
    return source !== null
  }
  for (const grapheme of new Set([...layoutCharacters, ...texts.flatMap((text) => splitGraphemes(composeLine(text)))]))
    if (!(await add(grapheme))) for (const character of grapheme) await add(character)
  return sourceOf
}

/** A static TrueType font with the characters in one weight. */
async function makeSubset({ file, bytes }: FontSource, characters: string, weight: FontWeight): Promise<Uint8Array> {
  // Loaded on first use: its WebAssembly modules would slow down the start of the server.
  const { default: subsetFont } = await import('subset-font')
  const variationAxes: Record<string, number> = file.isVariable ? { wght: weight } : {}
  return subsetFont(bytes, characters, { targetFormat: 'truetype', variationAxes })
}

const fontName = ({ file }: FontSource, weight: FontWeight): string => `${file.name}-${weight}`
