import { setImmediate } from 'node:timers/promises'
import { drawChart } from './draw-chart.ts'
import { drawMap } from './draw-map.ts'
import { drawTable } from './draw-table.ts'
import { makeDocumentFonts } from './fonts.ts'
import { listTexts, type ReportDocument } from './report-document.ts'
import { page, styles, type ReportPages } from './report-page.ts'
import { createTextWriter } from './text-writer.ts'

/**
 * Renders a report as an A4 PDF with embedded fonts. Time between its parts is left to other work of the process.
 *
 * @param generated_at the creation date of the file.
 */
export async function renderReportPdf(document: ReportDocument, generated_at: Date): Promise<Uint8Array> {
  // Loaded on first use, because the library would add 0.1 s to the start of the server.
  const { default: PDFDocument } = await import('pdfkit')
  const fonts = await makeDocumentFonts(listTexts(document))
  const pdf = new PDFDocument({
    size: [page.width, page.height],
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
  const pages = createPages(pdf, createTextWriter(pdf, fonts))
  drawHead(pages, document)
  if (document.map) await drawMap(pages, document.map)
  for (const chart of document.charts) {
    await setImmediate()
    drawChart(pages, chart)
  }
  await setImmediate()
  drawTable(pages, document.table)
  drawFooters(pages, document)
  pdf.end()
  return Buffer.concat(await pdf.toArray())
}

function createPages(pdf: PDFKit.PDFDocument, text: ReportPages['text']): ReportPages {
  return {
    pdf,
    text,
    y: page.top,
    reserve(height) {
      if (this.y + height <= page.bottom) return false
      pdf.addPage()
      this.y = page.top
      return true
    },
  }
}

function drawHead(pages: ReportPages, { title, subtitle, facts }: ReportDocument): void {
  const width = page.right - page.left
  pages.text.write(title, { x: page.left, y: pages.y }, styles.title, { width })
  pages.text.write(subtitle, { x: page.left, y: pages.y + 30 }, styles.body, { width })
  pages.y += 52
  const columns = 3
  const column_width = width / columns
  for (const [at, [label, value]] of facts.entries()) {
    const x = page.left + (at % columns) * column_width
    const y = pages.y + Math.floor(at / columns) * 32
    pages.text.write(label, { x, y }, styles.label, { width: column_width - 8 })
    pages.text.write(value, { x, y: y + 11 }, { size: 11, weight: 700 }, { width: column_width - 8 })
  }
  pages.y += Math.ceil(facts.length / columns) * 32 + 10
}

function drawFooters({ pdf, text }: ReportPages, { footer }: ReportDocument): void {
  const { count } = pdf.bufferedPageRange()
  for (let index = 0; index < count; index += 1) {
    pdf.switchToPage(index)
    const width = page.right - page.left
    text.write(footer, { x: page.left, y: 806 }, styles.label, { width: width - 90 })
    text.write(`Page ${index + 1} of ${count}`, { x: page.left, y: 806 }, styles.label, { width, align: 'right' })
  }
}
