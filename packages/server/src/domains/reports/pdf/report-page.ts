import type { ShapedTextStyle, PdfTextWriter } from '../../../platform/pdf-text/text-writer.ts'

/** A4 in points of 1/72 inch. */
export const reportPageSize = { width: 595.28, height: 841.89, left: 48, right: 547.28, top: 48, bottom: 790 } as const

/** Colours of reports: dark enough on white, and apart from each other for the colour-blind. */
export const reportColours = {
  text: '#14191c',
  muted: '#566066',
  rule: '#d5dadd',
  accent: '#0e7c93',
  second: '#b0562a',
  water: '#dfeaf0',
  land: '#f4f1ea',
  coast: '#8d9aa2',
} as const

export const reportTextStyles = {
  title: { size: 20, weight: 700 },
  heading: { size: 12, weight: 700 },
  body: { size: 9 },
  label: { size: 7.5, colour: reportColours.muted },
} as const satisfies Record<string, ShapedTextStyle>

/** A rectangle in points from the upper left corner of the page. */
export interface PageBox {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** The pages of a report while they are drawn, from top to bottom. */
export interface ReportPages {
  readonly pdf: PDFKit.PDFDocument
  readonly text: PdfTextWriter
  /** The next free position. */
  y: number
  /** Starts a page if less than this height is free; true if it did. */
  reserve(height: number): boolean
}
