import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

/** A file with a part of a typeface, and the code points that it has. */
export interface FontFile {
  /** Unique among all files. */
  readonly name: string
  readonly path: string
  readonly ranges: readonly CodePointRange[]
}

/** First and last code point, inclusive. */
type CodePointRange = readonly [first: number, last: number]

/**
 * The typefaces of reports: Noto Sans for one script after the other, of the npm packages `@fontsource-variable/…`. The first
 * one that has a character is used, so Japanese forms come before Chinese ones, and both
 * after the scripts of which their files claim letters that they do not have. Arabic is set in Vazirmatn: each of its glyphs
 * is a whole letter, whereas Noto draws the dots of a letter as glyphs of their own, which a reader of the PDF cannot tell apart.
 *
 * Gujarati, Gurmukhi, Khmer, Lao, Malayalam, Myanmar and Sinhala are missing: the PDF library's shaping fails on them, or puts their
 * vowel signs in wrong places.
 */
const typefaces = [
  'noto-sans',
  'vazirmatn',
  'noto-sans-hebrew',
  'noto-sans-thai',
  'noto-sans-armenian',
  'noto-sans-bengali',
  'noto-sans-ethiopic',
  'noto-sans-georgian',
  'noto-sans-kannada',
  'noto-sans-tamil',
  'noto-sans-telugu',
  'noto-sans-jp',
  'noto-sans-kr',
  'noto-sans-sc',
] as const

/** Lists the files of all typefaces, in the order in which they are tried. */
export async function listFontFiles(): Promise<FontFile[]> {
  const require = createRequire(import.meta.url)
  const files: FontFile[] = []
  for (const typeface of typefaces) {
    const folder = `@fontsource-variable/${typeface}`
    const text = await readFile(require.resolve(`${folder}/unicode.json`), 'utf8')
    const subsets = Object.entries(JSON.parse(text) as Record<string, string>)
    // Of a typeface for one script only the file of this script: Latin letters and symbols are those of the others.
    const own = subsets.filter(([subset]) => typeface === `noto-sans-${subset}`)
    for (const [subset, ranges] of own.length > 0 ? own : subsets) {
      const name = `${typeface}-${subset.replace(/^\[|\]$/g, '')}`
      const path = require.resolve(`${folder}/files/${name}-wght-normal.woff2`)
      files.push({ name, path, ranges: parseRanges(ranges) })
    }
  }
  return files
}

/** Reads the value of a CSS `unicode-range`, such as `U+0-FF,U+131`. */
export const parseRanges = (text: string): CodePointRange[] =>
  text.split(',').map((range) => {
    const [first = '', last = first] = range.trim().replace(/^U\+/i, '').split('-')
    return [Number.parseInt(first, 16), Number.parseInt(last, 16)]
  })

/** The first file that has the code point; null if none has. */
export const findFontFile = (files: readonly FontFile[], codePoint: number): FontFile | null =>
  files.find(({ ranges }) => ranges.some(([first, last]) => codePoint >= first && codePoint <= last)) ?? null
