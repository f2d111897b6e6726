import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

/** A file with a part of a typeface, and the code points that it is meant for; it may lack some of them. */
export interface FontFile {
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
    return { name, path, ranges: parseRanges(ranges), isVariable }
  })
}

/** Reads the value of a CSS `unicode-range`, such as `U+0-FF,U+131`. */
export const parseRanges = (text: string): CodePointRange[] =>
  text.split(',').map((range) => {
    const [first = '', last = first] = range.trim().replace(/^U\+/i, '').split('-')
    return [Number.parseInt(first, 16), Number.parseInt(last, 16)]
  })

/** True if the file is meant for the code point. */
export const isMeantFor = ({ ranges }: FontFile, codePoint: number): boolean =>
  ranges.some(([first, last]) => codePoint >= first && codePoint <= last)
