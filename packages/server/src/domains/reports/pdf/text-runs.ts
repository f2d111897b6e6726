import createBidi from 'bidi-js'
import type { DocumentFonts, FontWeight } from './fonts.ts'
import { isIsolate } from './isolates.ts'

/** A part of a line in one font and one direction. Letters are in the order of speech: the font's shaping reverses them. */
export interface TextRun {
  readonly text: string
  readonly font: string
  /** Where it begins in the line, in the order of speech. */
  readonly start: number
}

/** Divides the lines of a document into runs; it reads the tables of Unicode once. */
export type RunDivider = (text: string, weight: FontWeight) => TextRun[]

export function createRunDivider(fonts: DocumentFonts): RunDivider {
  const bidi = createBidi()
  return (text, weight) => divideIntoRuns(bidi, text, fonts, weight)
}

/**
 * Divides a line into runs, from left to right as they are seen (Unicode Bidirectional Algorithm, UAX 9). Brackets in text
 * from right to left are mirrored.
 */
function divideIntoRuns(
  bidi: ReturnType<typeof createBidi>,
  text: string,
  fonts: DocumentFonts,
  weight: FontWeight,
): TextRun[] {
  const levels = bidi.getEmbeddingLevels(text, 'auto')
  const runs: { text: string; font: string; isReversed: boolean; next: number; start: number }[] = []
  for (const index of bidi.getReorderedIndices(text, levels)) {
    const character = characterAt(text, index)
    if (character === null || isIsolate(character)) continue
    const isRightToLeft = levels.levels[index]! % 2 === 1
    const seen = isRightToLeft ? (bidi.getMirroredCharacter(character) ?? character) : character
    // Shaping reverses letters, but not the spaces and brackets between them.
    const isReversed = isRightToLeft && rightToLeftLetter.test(character)
    const font = fonts.nameOf(character, weight)
    const next = isRightToLeft ? index - 1 : index + character.length
    const last = runs.at(-1)
    if (last?.font === font && last.isReversed === isReversed && last.next === index) {
      last.text = isReversed ? seen + last.text : last.text + seen
      last.next = next
      last.start = Math.min(last.start, index)
    } else {
      runs.push({ text: seen, font, isReversed, next, start: index })
    }
  }
  return runs.map(({ text: seen, font, start }) => ({ text: seen, font, start }))
}

const rightToLeftLetter = /[\p{Script=Arabic}\p{Script=Hebrew}\p{M}]/u

/** The character that begins at an index; null for the second half of a surrogate pair. */
function characterAt(text: string, index: number): string | null {
  const unit = text.charCodeAt(index)
  if (unit >= 0xdc00 && unit <= 0xdfff) return null
  return String.fromCodePoint(text.codePointAt(index)!)
}
