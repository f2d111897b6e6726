export interface Ink {
  readonly size: number
  readonly bold: boolean
  readonly colour: string
}

/** A drawing surface in points of 1/72 inch from the upper left corner; text is positioned by its upper left corner. */
export interface Paper {
  width(text: string, ink: Ink): number
  write(text: string, x: number, y: number, ink: Ink): void
  rule(line: { from: number; to: number; y: number; thickness: number; colour: string }): void
  /** Starts a page, also the first; yields to the event loop before, because a long document must not block it. */
  turn(): Promise<void>
}

/** A line of text with its style. */
export interface Line {
  readonly text: string
  readonly ink: Ink
}

/** Wraps text to a column width. A word that is wider than the column is broken. */
export function wrap(paper: Paper, text: string, ink: Ink, width: number): Line[] {
  const lines: Line[] = []
  let line = ''
  const fits = (part: string): boolean => paper.width(part, ink) <= width
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (fits(longer)) {
      line = longer
      continue
    }
    if (line !== '') lines.push({ text: line, ink })
    line = word
    while (!fits(line)) {
      const end = breakOf(line, fits)
      lines.push({ text: line.slice(0, end), ink })
      line = line.slice(end)
    }
  }
  return [...lines, { text: line, ink }]
}

/** The number of letters of a word that fit, at least one. */
function breakOf(word: string, fits: (part: string) => boolean): number {
  let end = 1
  while (end < word.length - 1 && fits(word.slice(0, end + 1))) end += 1
  return end
}

/** Keeps the first lines and marks the truncation with an ellipsis. */
export const atMost = (count: number, lines: readonly Line[]): Line[] =>
  lines.length <= count
    ? [...lines]
    : [...lines.slice(0, count - 1), { ...lines[count - 1]!, text: `${lines[count - 1]!.text} …` }]

/** Writes so that the text ends at `right`. */
export const writeUpTo = (paper: Paper, { text, ink }: Line, right: number, y: number): void =>
  paper.write(text, right - paper.width(text, ink), y, ink)
