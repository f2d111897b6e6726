import { formatDocumentTitle } from './documents.ts'
import type { BillingDocument } from './billing-document.ts'
import { truncateLines, writeRightAligned, type PageCanvas, type TextLine, type TextStyle } from './page-canvas.ts'

/** A4. */
export const documentPageSize = { width: 595.28, height: 841.89 } as const

export const page_left_x = 56
export const page_right_x = documentPageSize.width - 56
export const page_top_y = 56
/** The content of a page ends above this; the footer is below. */
export const page_bottom_y = documentPageSize.height - 84
export const page_footer_y = documentPageSize.height - 56

export const documentColours = {
  ink: '#17212e',
  muted: '#5e6a78',
  hair: '#d5dbe3',
  accent: '#0f5f8f',
  warning: '#a4161a',
} as const
const textStyle = (size: number, colour: keyof typeof documentColours = 'ink', bold = false): TextStyle => ({
  size,
  bold,
  colour: documentColours[colour],
})

export const documentTextStyles = {
  title: textStyle(24, 'ink', true),
  headline: textStyle(18, 'ink', true),
  name: textStyle(10, 'ink', true),
  text: textStyle(9),
  strong: textStyle(9, 'ink', true),
  total: textStyle(11, 'ink', true),
  muted: textStyle(9, 'muted'),
  small: textStyle(7.5, 'muted'),
  label: textStyle(7.5, 'accent', true),
  warning: textStyle(7.5, 'warning', true),
} as const

/** The distance between lines of text. */
export const text_line_height = 12.5
export const page_section_gap = 24

/** The vertical position on the current page. */
export interface PdfPagePosition {
  readonly canvas: PageCanvas
  readonly document: BillingDocument
  y: number
}

/** Writes lines below each other; returns the y below the last one. */
export function drawTextLines(canvas: PageCanvas, x: number, y: number, lines: readonly TextLine[]): number {
  for (const [index, line] of lines.entries()) canvas.write(line.text, x, y + index * text_line_height, line.ink)
  return y + lines.length * text_line_height
}

/** Writes lines below each other, aligned right; returns the y below the last one. */
export function drawRightAlignedLines(canvas: PageCanvas, to: number, y: number, lines: readonly TextLine[]): number {
  const shown = truncateLines(12, lines)
  for (const [index, line] of shown.entries()) writeRightAligned(canvas, line, to, y + index * text_line_height)
  return y + shown.length * text_line_height
}

/** Starts a further page with a small heading. */
export async function startContinuationPage(cursor: PdfPagePosition): Promise<void> {
  const { canvas, document } = cursor
  await canvas.startPage()
  const heading = `${formatDocumentTitle(document)} ${document.number}, continued`
  canvas.artifact(() => canvas.write(heading, page_left_x, page_top_y - 12, documentTextStyles.muted))
  cursor.y = page_top_y + 12
}
