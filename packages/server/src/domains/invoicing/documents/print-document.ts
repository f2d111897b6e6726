import { setImmediate } from 'node:timers/promises'
import { type DocumentFonts, makeDocumentFonts } from '../../../platform/pdf-text/fonts.ts'
import { createPdfTextWriter } from '../../../platform/pdf-text/text-writer.ts'
import { drawDocumentFooter, layOutDocument } from './document-layout.ts'
import { documentPageSize } from './layout-page.ts'
import { formatDocumentTitle } from './documents.ts'
import type { BillingDocument } from './billing-document.ts'
import type { PageCanvas, TextStyle } from './page-canvas.ts'

/** Letters of the standard fonts of PDF, which is Windows code page 1252 without control characters and the soft hyphen. */
const standardLetter = /^[ -~¡-¬®-ÿ€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]$/u

/** Other ways to write what the code page has. */
const replacements: Readonly<Record<string, string>> = {
  '\u2010': '-',
  '\u2011': '-',
  '\u2012': '–',
  '\u2015': '—',
  '\u2212': '-',
  '′': "'",
  '″': '"',
  '№': 'No.',
}

/**
 * One line in letters of the standard fonts of PDF. White space becomes single spaces; control characters are dropped.
 *
 * @returns null if the text has other letters.
 */
export function toPdfStandardText(source: string): string | null {
  let text = ''
  for (const letter of source.normalize('NFC').replaceAll(/[\s\p{Z}]+/gu, ' ')) {
    if (/[\p{Cc}\p{Cf}]/u.test(letter)) continue
    const standard = replacements[letter] ?? letter
    if (!standard.split('').every((part) => standardLetter.test(part))) return null
    text += standard
  }
  // Spaces may have met where characters between them were dropped.
  return text.replaceAll(/ {2,}/g, ' ').trim()
}

/**
 * Renders a document as a tagged A4 PDF. The same document always gives the same bytes: times and ids come from the document,
 * and nothing is compressed, because compressors of different builds produce different bytes. Fonts are embedded only if a text
 * has letters that the standard fonts of PDF lack.
 */
export async function renderBillingDocumentPdf(document: BillingDocument): Promise<Uint8Array> {
  // Loaded on first use, because the library with its fonts would add 0.1 s to the start of the server.
  const { default: PDFDocument } = await import('pdfkit')
  const { printableDocument, fonts } = await prepareTexts(document)
  const pdf = new PDFDocument({
    size: [documentPageSize.width, documentPageSize.height],
    margin: 0,
    autoFirstPage: false,
    bufferPages: true,
    compress: false,
    pdfVersion: '1.7',
    tagged: true,
    lang: 'en-AU',
    displayTitle: true,
    // The library repeats these texts as XML without escaping them, so they are only texts of ours.
    info: {
      Title: `${formatDocumentTitle(printableDocument)} ${printableDocument.number}`,
      Creator: 'Swath',
      Producer: 'PDFKit',
      CreationDate: new Date(printableDocument.issued_at),
    },
  })
  const text = fonts ? writeShaped(pdf, fonts) : writeStandard(pdf)
  const canvas = { ...text, ...createPages(pdf), ...createStructure(pdf, text) }
  await layOutDocument(canvas, printableDocument)
  const { count } = pdf.bufferedPageRange()
  for (let index = 0; index < count; index += 1) {
    pdf.switchToPage(index)
    drawDocumentFooter(canvas, printableDocument, index + 1, count)
  }
  pdf.end()
  return Buffer.concat(await pdf.toArray())
}

const createPages = (pdf: PDFKit.PDFDocument): Pick<PageCanvas, 'drawRule' | 'startPage'> => ({
  drawRule: ({ from, to, y, thickness, colour }) => {
    pdf.markContent('Artifact', { type: 'Layout' })
    pdf.moveTo(from, y).lineTo(to, y).lineWidth(thickness).stroke(colour)
    pdf.endMarkedContent()
  },
  startPage: async () => {
    await setImmediate()
    pdf.addPage()
  },
})

/**
 * The structure tree of the document, around what is written. Elements are written to the file when they end; one of several
 * texts, such as a label and its value, says them with spaces between.
 */
function createStructure(
  pdf: PDFKit.PDFDocument,
  { write }: CanvasText,
): Pick<PageCanvas, 'group' | 'element' | 'artifact' | 'write'> {
  const root = pdf.struct('Document')
  pdf.addStructure(root)
  let parent = root
  let texts: string[] = []
  return {
    write: (text, ...position) => {
      texts.push(text)
      write(text, ...position)
    },
    group: async (tag, draw) => {
      const outer = parent
      parent = pdf.struct(tag)
      outer.add(parent)
      await draw()
      parent.end()
      parent = outer
    },
    element: (tag, draw) => {
      texts = []
      const content = pdf.markStructureContent(tag)
      draw()
      pdf.endMarkedContent()
      const child = pdf.struct(tag, texts.length > 1 ? { actual: texts.join(' ') } : {})
      parent.add(child)
      child.add(content)
      child.end()
    },
    artifact: (draw) => {
      pdf.markContent('Artifact', { type: 'Layout' })
      draw()
      pdf.endMarkedContent()
    },
  }
}

type CanvasText = Pick<PageCanvas, 'textWidth' | 'write'>

function writeStandard(pdf: PDFKit.PDFDocument): CanvasText {
  const fontName = (bold: boolean): string => (bold ? 'Helvetica-Bold' : 'Helvetica')
  return {
    textWidth: (text, { size, bold }) => pdf.font(fontName(bold)).fontSize(size).widthOfString(text),
    write: (text, x, y, { size, bold, colour }) => {
      if (text === '') return
      pdf.font(fontName(bold)).fontSize(size).fillColor(colour).text(text, x, y, { lineBreak: false })
    },
  }
}

/** The distance from the upper edge of a text to its baseline, as a fraction of the size of Helvetica. */
const ascent = 0.718

function writeShaped(pdf: PDFKit.PDFDocument, fonts: DocumentFonts): CanvasText {
  const writer = createPdfTextWriter(pdf, fonts, '#000000')
  const toStyle = ({ size, bold, colour }: TextStyle) => ({ size, colour, weight: bold ? 700 : 400 }) as const
  return {
    textWidth: (text, ink) => writer.widthOf(text, toStyle(ink)),
    write: (text, x, y, ink) => writer.write(text, { x, y: y - (1 - ascent) * ink.size }, toStyle(ink)),
  }
}

const lossNote =
  'Some characters cannot be printed here and appear as “?”. The names in the account are as they were written.'

/** The document with printable texts, and the fonts that they need; null for the standard ones. */
async function prepareTexts(
  document: BillingDocument,
): Promise<{ readonly printableDocument: BillingDocument; readonly fonts: DocumentFonts | null }> {
  const texts: string[] = []
  const standardDocument = mapTexts(document, (text) => {
    texts.push(text)
    return toPdfStandardText(text) ?? ''
  })
  if (texts.every((text) => toPdfStandardText(text) !== null))
    return { printableDocument: standardDocument, fonts: null }
  const fonts = await makeDocumentFonts([...texts, lossNote])
  const printableDocument = mapTexts(document, fonts.toPrintable)
  const isLossy = texts.some((text) => countQuestionMarks(fonts.toPrintable(text)) > countQuestionMarks(text))
  return {
    printableDocument: isLossy
      ? { ...printableDocument, notes: [...printableDocument.notes, lossNote] }
      : printableDocument,
    fonts,
  }
}

const countQuestionMarks = (text: string): number => text.split('?').length - 1

/** The document with every text of it replaced. */
const mapTexts = (document: BillingDocument, replace: (text: string) => string): BillingDocument =>
  JSON.parse(JSON.stringify(document), (_, value: unknown) => (typeof value === 'string' ? replace(value) : value))
