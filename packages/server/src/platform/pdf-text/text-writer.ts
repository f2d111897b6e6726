import type { DocumentFonts, FontWeight } from './fonts.ts'
import { splitGraphemes } from './printable-characters.ts'
import { createTextRunDivider } from './text-runs.ts'
import { isolateRightToLeftLine } from './isolates.ts'

const words = new Intl.Segmenter('en', { granularity: 'word' })

const onlyOpening = /^[\p{Ps}\p{Pi}]+$/u
const onlyMarks = /^[\p{P}\p{S}]+$/u

/** Splits a text where a line may end: after words, also of scripts without spaces; marks stay with their word. */
function listPieces(text: string): string[] {
  const pieces: string[] = []
  let opening = ''
  for (const { segment } of words.segment(text)) {
    if (onlyOpening.test(segment)) opening += segment
    else if (opening === '' && onlyMarks.test(segment) && pieces.length > 0) pieces.push(pieces.pop()! + segment)
    else {
      pieces.push(opening + segment)
      opening = ''
    }
  }
  return opening === '' ? pieces : [...pieces, opening]
}

/**
 * Divides a text into at most `max_lines` lines. A word that is wider than a line is divided too. The last line has all that is
 * left, so it may be too wide. Lines of a text that begins from right to left keep that direction.
 */
export function wrapTextIntoLines(
  text: string,
  { width, max_lines, measure }: { width: number; max_lines: number; measure: (text: string) => number },
): string[] {
  if (measure(text) <= width) return [text]
  const lines: string[] = []
  let line = ''
  const pieces = listPieces(text)
  while (pieces.length > 0 && lines.length < max_lines - 1) {
    const piece = pieces.shift()!
    if (measure((line + piece).trimEnd()) <= width) line += piece
    else if (line.trim() !== '') {
      lines.push(line.trim())
      line = ''
      pieces.unshift(piece.trimStart())
    } else {
      const parts = splitGraphemes(piece)
      let count = parts.length
      while (count > 1 && measure(parts.slice(0, count).join('')) > width) count -= 1
      lines.push(parts.slice(0, count).join(''))
      pieces.unshift(parts.slice(count).join(''))
    }
  }
  const rest = (line + pieces.join('')).trim()
  const all = rest === '' ? lines : [...lines, rest]
  return beginsRightToLeft(text) ? all.map(isolateRightToLeftLine) : all
}

/** True if the first letter is of a script that is read from right to left. */
const beginsRightToLeft = (text: string): boolean => {
  const [letter] = /\p{L}/u.exec(text) ?? []
  return letter !== undefined && rightToLeftScripts.test(letter)
}

const rightToLeftScripts =
  /[\p{Script=Adlam}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Nko}\p{Script=Syriac}\p{Script=Thaana}]/u

export interface ShapedTextStyle {
  /** The font size in points. */
  readonly size: number
  readonly weight?: FontWeight
  readonly colour?: string
}

/** Draws text of any script at a position of the current page. */
export interface PdfTextWriter {
  widthOf(text: string, style: ShapedTextStyle): number
  /** The text in at most `max_lines` lines of the width; the last one has all that is left, which `write` cuts. */
  wrap(text: string, style: ShapedTextStyle, fit: { width: number; max_lines: number }): string[]
  /** Writes one line from the upper left corner; with a width it is cut with an ellipsis, and may be aligned right. */
  write(
    text: string,
    at: { x: number; y: number },
    style: ShapedTextStyle,
    fit?: { width: number; align?: 'right' },
  ): void
}

/** With a list of features the library passes a run to the font as a whole. */
const shaping = { lineBreak: false, features: [] as PDFKit.Mixins.OpenTypeFeatures[] } as const

/** Writes text with the fonts of a document; `colour` is that of styles without one. */
export function createPdfTextWriter(pdf: PDFKit.PDFDocument, fonts: DocumentFonts, colour: string): PdfTextWriter {
  // PDFKit takes fonts of fontkit too; its types name files only.
  for (const [name, font] of fonts.fonts) pdf.registerFont(name, font as unknown as PDFKit.Mixins.PDFFontSource)
  const divideRuns = createTextRunDivider(fonts)
  const divide = (text: string, { weight = 400 }: ShapedTextStyle) => divideRuns(text, weight)
  const widths = new Map<string, number>()
  const measure = (text: string, style: ShapedTextStyle): number => {
    const key = `${style.weight ?? 400} ${style.size} ${text}`
    const known = widths.get(key)
    if (known !== undefined) return known
    const width = divide(text, style).reduce(
      (sum, run) => sum + pdf.font(run.font).fontSize(style.size).widthOfString(run.text, shaping),
      0,
    )
    widths.set(key, width)
    return width
  }
  return {
    widthOf: (text, style) => measure(fonts.toPrintable(text), style),
    wrap: (text, style, fit) =>
      wrapTextIntoLines(fonts.toPrintable(text), { ...fit, measure: (part) => measure(part, style) }),
    write: (text, { x, y }, style, fit) => {
      const printable = fonts.toPrintable(text)
      const line = fit ? cutToWidth(printable, fit.width, (part) => measure(part, style)) : printable
      let left = fit?.align === 'right' ? x + fit.width - measure(line, style) : x
      // Fonts of other scripts have taller lines: all runs stand on the baseline of the Latin font.
      const baseline = y + style.size
      const placed = divide(line, style).map((run) => {
        const place = { run, x: left }
        left += pdf.font(run.font).fontSize(style.size).widthOfString(run.text, shaping)
        return place
      })
      // Written in the order of speech, in which programs that extract the text read it.
      for (const { run, x: at } of placed.toSorted((one, other) => one.run.start - other.run.start)) {
        pdf
          .font(run.font)
          .fontSize(style.size)
          .fillColor(style.colour ?? colour)
        pdf.text(run.text, at, baseline, { ...shaping, baseline: 'alphabetic' })
      }
    },
  }
}

/** The text, or as much of its beginning as fits, with an ellipsis. */
function cutToWidth(text: string, width: number, measure: (text: string) => number): string {
  if (measure(text) <= width) return text
  const characters = splitGraphemes(text)
  let [fits, tooLong] = [0, characters.length]
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1
    if (measure(`${characters.slice(0, middle).join('').trimEnd()}…`) <= width) fits = middle
    else tooLong = middle
  }
  return `${characters.slice(0, fits).join('').trimEnd()}…`
}
