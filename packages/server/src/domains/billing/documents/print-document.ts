import { setImmediate } from 'node:timers/promises'
import { layFoot, layOut, page } from './document-layout.ts'
import { titleOf, type BillingDocument } from './documents.ts'
import type { Paper } from './paper.ts'
import { printable } from './printable-text.ts'

/**
 * Renders a document as an A4 PDF. The same document always gives the same bytes: times and ids come from the document,
 * and nothing is compressed, because compressors of different builds produce different bytes.
 */
export async function printDocument(document: BillingDocument): Promise<Uint8Array> {
  // Loaded on first use, because the library with its fonts would add 0.1 s to the start of the server.
  const { default: PDFDocument } = await import('pdfkit')
  const plain = withPrintableText(document)
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
      Title: `${titleOf(plain)} ${plain.number}`,
      Author: plain.seller.name,
      Creator: 'Swath',
      Producer: 'PDFKit',
      CreationDate: new Date(plain.issued_at),
    },
  })
  const paper = paperOf(pdf)
  await layOut(paper, plain)
  const { count } = pdf.bufferedPageRange()
  for (let index = 0; index < count; index += 1) {
    pdf.switchToPage(index)
    layFoot(paper, plain, index + 1, count)
  }
  pdf.end()
  return Buffer.concat(await pdf.toArray())
}

const paperOf = (pdf: PDFKit.PDFDocument): Paper => ({
  width: (text, { size, bold }) => pdf.font(fontOf(bold)).fontSize(size).widthOfString(text),
  write: (text, x, y, { size, bold, colour }) => {
    if (text === '') return
    pdf.font(fontOf(bold)).fontSize(size).fillColor(colour).text(text, x, y, { lineBreak: false })
  },
  rule: ({ from, to, y, thickness, colour }) => {
    pdf.moveTo(from, y).lineTo(to, y).lineWidth(thickness).stroke(colour)
  },
  turn: async () => {
    await setImmediate()
    pdf.addPage()
  },
})

const fontOf = (bold: boolean): string => (bold ? 'Helvetica-Bold' : 'Helvetica')

const lossNote =
  'Some letters cannot be printed here: they appear without their accents, or as “?”. The names in the account are as they were written.'

/** Replaces every text of the document by printable text, and adds a note if characters were lost. */
function withPrintableText(document: BillingDocument): BillingDocument {
  let lossy = false
  const plain: BillingDocument = JSON.parse(JSON.stringify(document), (_, value: unknown) => {
    if (typeof value !== 'string') return value
    const shown = printable(value)
    lossy ||= shown.lossy
    return shown.text
  })
  return lossy ? { ...plain, notes: [...plain.notes, lossNote] } : plain
}
