import { splitGraphemes } from '../../../platform/pdf-text/printable-characters.ts'

export interface TextStyle {
  readonly size: number
  readonly bold: boolean
  readonly colour: string
}

/** The structure types of PDF that documents use: a screen reader announces them. */
export type StructureTag = 'H1' | 'P' | 'Sect' | 'Table' | 'TR' | 'TH' | 'TD'

/**
 * A drawing surface in points of 1/72 inch from the upper left corner; text is positioned by its upper left corner. Text is
 * drawn either in an element of the structure or in an artifact, such as a footer, which screen readers skip; rules between
 * elements are artifacts.
 */
export interface PageCanvas {
  /** An element that contains the elements that are drawn meanwhile. */
  group(tag: StructureTag, draw: () => Promise<void>): Promise<void>
  /** An element with text, on one page. */
  element(tag: StructureTag, draw: () => void): void
  artifact(draw: () => void): void
  textWidth(text: string, ink: TextStyle): number
  write(text: string, x: number, y: number, ink: TextStyle): void
  drawRule(line: { from: number; to: number; y: number; thickness: number; colour: string }): void
  /** Starts a page, also the first; yields to the event loop before, because a long document must not block it. */
  startPage(): Promise<void>
}

/** A line of text with its style. */
export interface TextLine {
  readonly text: string
  readonly ink: TextStyle
}

/** Wraps text to a column width. A word that is wider than the column is broken. */
export function wrapText(canvas: PageCanvas, text: string, ink: TextStyle, width: number): TextLine[] {
  const lines: TextLine[] = []
  let line = ''
  const fits = (part: string): boolean => canvas.textWidth(part, ink) <= width
  for (const word of text.split(' ')) {
    const extended = line === '' ? word : `${line} ${word}`
    if (fits(extended)) {
      line = extended
      continue
    }
    if (line !== '') lines.push({ text: line, ink })
    line = word
    while (!fits(line)) {
      const end = findBreak(line, fits)
      lines.push({ text: line.slice(0, end), ink })
      line = line.slice(end)
    }
  }
  return [...lines, { text: line, ink }]
}

/** The length of as many letters of a word as fit, at least one; a letter and its marks are not divided. */
function findBreak(word: string, fits: (part: string) => boolean): number {
  let [first = word, ...rest] = splitGraphemes(word)
  // The last letter stays, as there must be a rest.
  for (const letter of rest.slice(0, -1)) {
    if (!fits(first + letter)) break
    first += letter
  }
  return first.length
}

/** Keeps the first lines and marks the truncation with an ellipsis. */
export const truncateLines = (count: number, lines: readonly TextLine[]): TextLine[] =>
  lines.length <= count
    ? [...lines]
    : [...lines.slice(0, count - 1), { ...lines[count - 1]!, text: `${lines[count - 1]!.text} …` }]

/** Writes so that the text ends at `right`. */
export const writeRightAligned = (canvas: PageCanvas, { text, ink }: TextLine, right: number, y: number): void =>
  canvas.write(text, right - canvas.textWidth(text, ink), y, ink)
