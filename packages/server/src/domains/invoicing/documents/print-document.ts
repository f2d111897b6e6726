import { setImmediate } from 'node:timers/promises'
import { drawFooter, layOutDocument, page } from './document-layout.ts'
import { formatTitle, type BillingDocument } from './documents.ts'
import type { PageCanvas } from './page-canvas.ts'
import { toPrintableText } from './printable-text.ts'

/**
 * Renders a document as an A4 PDF. The same document always gives the same bytes: times and ids come from the document,
 * and nothing is compressed, because compressors of different builds produce different bytes.
 */
export async function renderDocumentPdf(document: BillingDocument): Promise<Uint8Array> {
  // Loaded on first use, because the library with its fonts would add 0.1 s to the start of the server.
  const { default: PDFDocument } = await import('pdfkit')
  const printableDocument = withPrintableText(document)
  const pdf = new PDFDocument({
    size: [page.width, page.height],
    margin: 0,
    autoFirstPage: false,
    bufferPages: true,
    compress: false,
    // Later versions repeat the metadata as XML, which the library does not escape.
    pdfVersion: '1.3',
    lang: 'en-AU',
    displayTitle: true,
    info: {
      Title: `${formatTitle(printableDocument)} ${printableDocument.number}`,
      Author: printableDocument.seller.name,
      Creator: 'Swath',
      Producer: 'PDFKit',
      CreationDate: new Date(printableDocument.issued_at),
    },
  })
  const canvas = createPageCanvas(pdf)
  await layOutDocument(canvas, printableDocument)
  const { count } = pdf.bufferedPageRange()
  for (let index = 0; index < count; index += 1) {
    pdf.switchToPage(index)
    drawFooter(canvas, printableDocument, index + 1, count)
  }
  pdf.end()
  return Buffer.concat(await pdf.toArray())
}

const createPageCanvas = (pdf: PDFKit.PDFDocument): PageCanvas => ({
  textWidth: (text, { size, bold }) => pdf.font(fontName(bold)).fontSize(size).widthOfString(text),
  write: (text, x, y, { size, bold, colour }) => {
    if (text === '') return
    pdf.font(fontName(bold)).fontSize(size).fillColor(colour).text(text, x, y, { lineBreak: false })
  },
  drawRule: ({ from, to, y, thickness, colour }) => {
    pdf.moveTo(from, y).lineTo(to, y).lineWidth(thickness).stroke(colour)
  },
  startPage: async () => {
    await setImmediate()
    pdf.addPage()
  },
})

const fontName = (bold: boolean): string => (bold ? 'Helvetica-Bold' : 'Helvetica')

const lossNote =
  'Some letters cannot be printed here: they appear without their accents, or as “?”. The names in the account are as they were written.'

/** Replaces every text of the document by printable text, and adds a note if characters were lost. */
function withPrintableText(document: BillingDocument): BillingDocument {
  let lossy = false
  const printableDocument: BillingDocument = JSON.parse(JSON.stringify(document), (_, value: unknown) => {
    if (typeof value !== 'string') return value
    const printableText = toPrintableText(value)
    lossy ||= printableText.lossy
    return printableText.text
  })
  return lossy ? { ...printableDocument, notes: [...printableDocument.notes, lossNote] } : printableDocument
}
