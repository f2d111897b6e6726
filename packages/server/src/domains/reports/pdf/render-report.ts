import { setImmediate } from 'node:timers/promises'
import { makeDocumentFonts } from '../../../platform/pdf-text/fonts.ts'
import { createPdfTextWriter, type ShapedTextStyle } from '../../../platform/pdf-text/text-writer.ts'
import { drawReportChart } from './draw-chart.ts'
import { drawReportMap } from './draw-map.ts'
import { drawReportTable } from './draw-table.ts'
import { listReportTexts, type ReportDocument } from './report-document.ts'
import { reportColours, reportPageSize, reportTextStyles, type ReportPages } from './report-page.ts'

/**
 * Renders a report as an A4 PDF with embedded fonts. Time between its parts is left to other work of the process.
 *
 * @param generated_at the creation date of the file.
 */
export async function renderReportPdf(document: ReportDocument, generated_at: Date): Promise<Uint8Array> {
  // Loaded on first use, because the library would add 0.1 s to the start of the server.
  const { default: PDFDocument } = await import('pdfkit')
  const fonts = await makeDocumentFonts(listReportTexts(document))
  const pdf = new PDFDocument({
    size: [reportPageSize.width, reportPageSize.height],
    margin: 0,
    bufferPages: true,
    pdfVersion: '1.7',
    lang: 'en-AU',
    displayTitle: true,
    info: {
      Title: fonts.toPrintable(document.title),
      Creator: 'Swath',
      Producer: 'PDFKit',
      CreationDate: generated_at,
    },
  })
  const pages = createPages(pdf, createPdfTextWriter(pdf, fonts, reportColours.text))
  drawHead(pages, document)
  if (document.map) await drawReportMap(pages, document.map)
  for (const chart of document.charts) {
    await setImmediate()
    drawReportChart(pages, chart)
  }
  await setImmediate()
  drawReportTable(pages, document.table)
  drawFooters(pages, document)
  pdf.end()
  return Buffer.concat(await pdf.toArray())
}

function createPages(pdf: PDFKit.PDFDocument, text: ReportPages['text']): ReportPages {
  return {
    pdf,
    text,
    y: reportPageSize.top,
    reserve(height) {
      if (this.y + height <= reportPageSize.bottom) return false
      pdf.addPage()
      this.y = reportPageSize.top
      return true
    },
  }
}

function drawHead(pages: ReportPages, { title, subtitle, facts }: ReportDocument): void {
  const width = reportPageSize.right - reportPageSize.left
  drawLines(pages, title, { style: reportTextStyles.title, line_height: 27 })
  pages.y += 3
  drawLines(pages, subtitle, { style: reportTextStyles.body, line_height: 13 })
  pages.y += 9
  const count = facts.length === 4 ? 4 : 3
  const column_width = width / count
  const style = { size: 11, weight: 700 } as const
  for (let first = 0; first < facts.length; first += count) {
    const row = facts.slice(first, first + count).map(([label, value]) => ({
      label,
      lines: pages.text.wrap(value, style, { width: column_width - 8, max_lines: 3 }),
    }))
    for (const [at, { label, lines }] of row.entries()) {
      const x = reportPageSize.left + at * column_width
      pages.text.write(label, { x, y: pages.y }, reportTextStyles.label, { width: column_width - 8 })
      for (const [line, text] of lines.entries())
        pages.text.write(text, { x, y: pages.y + 11 + 14 * line }, style, { width: column_width - 8 })
    }
    pages.y += 18 + 14 * Math.max(...row.map(({ lines }) => lines.length))
  }
  pages.y += 10
}

/** Writes a text over the width of the page in at most two lines. */
function drawLines(
  pages: ReportPages,
  text: string,
  { style, line_height }: { readonly style: ShapedTextStyle; readonly line_height: number },
): void {
  const width = reportPageSize.right - reportPageSize.left
  for (const line of pages.text.wrap(text, style, { width, max_lines: 2 })) {
    pages.text.write(line, { x: reportPageSize.left, y: pages.y }, style, { width })
    pages.y += line_height
  }
}

function drawFooters({ pdf, text }: ReportPages, { footer }: ReportDocument): void {
  const { count } = pdf.bufferedPageRange()
  for (let index = 0; index < count; index += 1) {
    pdf.switchToPage(index)
    const width = reportPageSize.right - reportPageSize.left
    text.write(footer, { x: reportPageSize.left, y: 806 }, reportTextStyles.label, { width: width - 90 })
    text.write(`Page ${index + 1} of ${count}`, { x: reportPageSize.left, y: 806 }, reportTextStyles.label, {
      width,
      align: 'right',
    })
  }
}
