import createBidi from 'bidi-js'
import { isBidiIsolate } from './isolates.ts'
import { normalizePrintableLine, isShapingControl, isVisibleCharacter, splitGraphemes } from './printable-characters.ts'
import { type ShapedFont, createShapedFont } from './shaped-font.ts'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

/** A file with a part of a typeface, and the code points that it is meant for; it may lack some of them. */
interface FontFile {
  /** Unique among all files. */
  readonly name: string
  readonly path: string
  readonly ranges: readonly CodePointRange[]
  /** True if it has all weights; the others have only the regular one. */
  readonly isVariable: boolean
}

/** First and last code point, inclusive. */
type CodePointRange = readonly [first: number, last: number]

/**
 * The typefaces of reports: Noto Sans for one script after the other. The first one that has a character is used, so Japanese
 * forms come before Chinese ones. Arabic is set in Vazirmatn: each of its glyphs is a whole letter, whereas Noto draws the dots of
 * a letter as glyphs of their own, which a reader of the PDF cannot tell apart.
 *
 * All scripts that UAX 31 recommends for identifiers are here, and those of its "limited use" that Fontsource has with the range
 * of their own script and that places are signed with.
 */
const variableTypefaces = [
  'noto-sans',
  'vazirmatn',
  'noto-sans-hebrew',
  'noto-sans-thai',
  'noto-sans-armenian',
  'noto-sans-bengali',
  'noto-sans-ethiopic',
  'noto-sans-georgian',
  'noto-sans-gujarati',
  'noto-sans-gurmukhi',
  'noto-sans-kannada',
  'noto-sans-khmer',
  'noto-sans-lao',
  'noto-sans-malayalam',
  'noto-sans-myanmar',
  'noto-sans-oriya',
  'noto-sans-sinhala',
  'noto-sans-tamil',
  'noto-sans-telugu',
  'noto-sans-thaana',
  'noto-serif-tibetan',
  'noto-sans-jp',
  'noto-sans-kr',
  'noto-sans-sc',
  'noto-sans-adlam',
  'noto-sans-balinese',
  'noto-sans-canadian-aboriginal',
  'noto-sans-cherokee',
  'noto-sans-javanese',
  'noto-sans-meetei-mayek',
  'noto-sans-ol-chiki',
  'noto-sans-sundanese',
  'noto-sans-syriac',
] as const

/** Typefaces with one weight. */
const staticTypefaces = ['noto-sans-mongolian', 'noto-sans-nko', 'noto-sans-tifinagh', 'noto-sans-yi'] as const

/** Lists the files of all typefaces, in the order in which they are tried. */
export async function listFontFiles(): Promise<FontFile[]> {
  const variable = variableTypefaces.map((typeface) => listFilesOf(typeface, true))
  const fixed = staticTypefaces.map((typeface) => listFilesOf(typeface, false))
  return (await Promise.all([...variable, ...fixed])).flat()
}

async function listFilesOf(typeface: string, isVariable: boolean): Promise<FontFile[]> {
  const require = createRequire(import.meta.url)
  const folder = `${isVariable ? '@fontsource-variable' : '@fontsource'}/${typeface}`
  const text = await readFile(require.resolve(`${folder}/unicode.json`), 'utf8')
  const subsets = Object.entries(JSON.parse(text) as Record<string, string>)
  // Of a typeface for one script only the file of this script: Latin letters and symbols are those of the others.
  const own = subsets.filter(([subset]) => /^noto-(?:sans|serif)-(.*)$/.exec(typeface)?.[1] === subset)
  return (own.length > 0 ? own : subsets).map(([subset, ranges]) => {
    const name = `${typeface}-${subset.replace(/^\[|\]$/g, '')}`
    const path = require.resolve(`${folder}/files/${name}-${isVariable ? 'wght' : '400'}-normal.woff2`)
    return { name, path, ranges: parseUnicodeRanges(ranges), isVariable }
  })
}

/** Reads the value of a CSS `unicode-range`, such as `U+0-FF,U+131`. */
export const parseUnicodeRanges = (text: string): CodePointRange[] =>
  text.split(',').map((range) => {
    const [first = '', last = first] = range.trim().replace(/^U\+/i, '').split('-')
    return [Number.parseInt(first, 16), Number.parseInt(last, 16)]
  })

/** True if the file is meant for the code point. */
export const isFontFileForCodePoint = ({ ranges }: FontFile, codePoint: number): boolean =>
  ranges.some(([first, last]) => codePoint >= first && codePoint <= last)

/** A font file as TrueType, with the code points that it has. */
interface FontSource {
  readonly file: FontFile
  readonly bytes: Uint8Array
  readonly codePoints: ReadonlySet<number>
}

/** Finds the first typeface that has all visible characters of a text; null if none has. */
type FindFontSource = (text: string) => Promise<FontSource | null>

/** Opens the typefaces; each file is read when a text may need it. */
async function openFontSources(): Promise<FindFontSource> {
  const files = await listFontFiles()
  const sources = new Map<FontFile, Promise<FontSource>>()
  const open = (file: FontFile): Promise<FontSource> => {
    const source = sources.get(file) ?? readSource(file)
    sources.set(file, source)
    return source
  }
  return async (text) => {
    const codePoints = Array.from(text)
      .filter(isVisibleCharacter)
      .map((character) => character.codePointAt(0)!)
    if (codePoints.length === 0) return null
    for (const file of files.filter((one) => codePoints.every((codePoint) => isFontFileForCodePoint(one, codePoint)))) {
      const source = await open(file)
      if (codePoints.every((codePoint) => source.codePoints.has(codePoint))) return source
    }
    return null
  }
}

async function readSource(file: FontFile): Promise<FontSource> {
  const { default: fontverter } = await import('fontverter')
  const { Blob, Face } = await import('harfbuzzjs')
  const bytes = await fontverter.convert(await readFile(file.path), 'truetype')
  return { file, bytes, codePoints: new Set(new Face(new Blob(bytes)).collectUnicodes()) }
}

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
    if (sourceOf.has(unit) || isBidiIsolate(unit)) return unit
    return isShapingControl(unit) ? '' : '?'
  }
  return {
    fonts,
    splitUnits,
    nameOf: (unit, weight) => fontName(sourceOf.get(unit) ?? sourceOf.get('?')!, weight),
    toPrintable: (text) => splitUnits(normalizePrintableLine(text)).map(toPrintableUnit).join(''),
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
  for (const grapheme of new Set([
    ...layoutCharacters,
    ...texts.flatMap((text) => splitGraphemes(normalizePrintableLine(text))),
  ]))
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
