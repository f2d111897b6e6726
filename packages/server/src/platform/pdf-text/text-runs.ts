import createBidi from 'bidi-js'
import type { DocumentFonts, FontWeight } from './fonts.ts'
import { isBidiIsolate } from './isolates.ts'
import { rightToLeftMark } from './shaped-font.ts'

/** A part of a line in one font and one direction, in the order of speech. */
export interface TextRun {
  /** Begins with `right_to_left_mark` if it is read in this direction. */
  readonly text: string
  readonly font: string
  /** The start of the run in the line, in logical order. */
  readonly start: number
}

/** Divides the lines of a document into runs; it reads the tables of Unicode once. */
export type TextRunDivider = (text: string, weight: FontWeight) => TextRun[]

/** A run with its embedding level (UAX 9): odd ones are read from right to left. */
interface LevelRun {
  readonly text: string
  readonly font: string
  readonly start: number
  readonly level: number
}

/**
 * Divides lines into runs, from left to right as they are seen (Unicode Bidirectional Algorithm, UAX 9). A run that cannot be
 * shaped becomes a question mark: no name may prevent a document.
 */
export function createTextRunDivider(fonts: DocumentFonts): TextRunDivider {
  const { getEmbeddingLevels } = createBidi()
  return (text, weight) => {
    const runs = listLevelRuns(text, getEmbeddingLevels(withBasicLetters(text), 'auto').levels, fonts, weight)
    return toVisualOrder(runs).map(({ text: spoken, font, start, level }) => {
      const marked = level % 2 === 1 ? rightToLeftMark + spoken : spoken
      return canShape(fonts, font, marked)
        ? { text: marked, font, start }
        : { text: '?', font: fonts.nameOf('?', weight), start }
    })
  }
}

/**
 * The text with Hebrew letters in place of those beyond the basic plane that are read from right to left, such as Adlam: the library
 * looks at single code units. Their blocks are those whose code points have the class R by default (UAX 9).
 */
const withBasicLetters = (text: string): string =>
  text.replaceAll(/[\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/gu, '\u05d0\u05d0')

function listLevelRuns(text: string, levels: Uint8Array, fonts: DocumentFonts, weight: FontWeight): LevelRun[] {
  const runs: LevelRun[] = []
  let start = 0
  for (const unit of fonts.splitUnits(text)) {
    if (!isBidiIsolate(unit)) {
      const font = fonts.nameOf(unit, weight)
      const level = levels[start]!
      const last = runs.at(-1)
      if (last?.font === font && last.level === level) runs[runs.length - 1] = { ...last, text: last.text + unit }
      else runs.push({ text: unit, font, start, level })
    }
    start += unit.length
  }
  return runs
}

/** Rule L2: from the highest level to the lowest odd one, sequences at that level or above are reversed. */
function toVisualOrder(runs: readonly LevelRun[]): LevelRun[] {
  const ordered = [...runs]
  for (let level = Math.max(0, ...runs.map((run) => run.level)); level > 0; level -= 1) {
    let first = 0
    while (first < ordered.length) {
      let end = first
      while (end < ordered.length && ordered[end]!.level >= level) end += 1
      if (end > first) ordered.splice(first, end - first, ...ordered.slice(first, end).toReversed())
      first = end + 1
    }
  }
  return ordered
}

function canShape(fonts: DocumentFonts, font: string, text: string): boolean {
  try {
    return fonts.fonts
      .get(font)!
      .layout(text)
      .glyphs.every(({ glyph }) => glyph !== 0)
  } catch {
    return false
  }
}
