import {
  abnOf,
  figuresSentence,
  buyerLabel,
  buyerLines,
  dollars,
  factsOf,
  headlineOf,
  priceOf,
  quantityOf,
  sellerLines,
  subtitleOf,
  titleOf,
  totalsOf,
  type BillingDocument,
  type DocumentLine,
  type Fact,
} from './documents.ts'
import { atMost, wrap, writeUpTo, type Ink, type Line, type Paper } from './paper.ts'

/** A4. */
export const page = { width: 595.28, height: 841.89 } as const

const left = 56
const right = page.width - 56
const top = 56
/** The content of a page ends above this; the footer is below. */
const bottom = page.height - 84
const foot = page.height - 56

const colours = { ink: '#17212e', muted: '#5e6a78', hair: '#d5dbe3', accent: '#0f5f8f' } as const
const ink = (size: number, colour: keyof typeof colours = 'ink', bold = false): Ink => ({
  size,
  bold,
  colour: colours[colour],
})

const inks = {
  title: ink(24, 'ink', true),
  headline: ink(18, 'ink', true),
  name: ink(10, 'ink', true),
  text: ink(9),
  strong: ink(9, 'ink', true),
  total: ink(11, 'ink', true),
  muted: ink(9, 'muted'),
  small: ink(7.5, 'muted'),
  label: ink(7.5, 'accent', true),
} as const

/** The distance between lines of text. */
const step = 12.5
const gap = 24

/** The table columns with their text width; `from` aligns left, `to` aligns right. */
const columns = [
  { label: 'Description', from: left, width: 232 },
  { label: 'Quantity', to: 374, width: 78 },
  { label: 'Unit price', to: 456, width: 74 },
  { label: 'Amount', to: right, width: 76 },
] as const

/** The vertical position on the current page. */
interface Sheet {
  readonly paper: Paper
  readonly document: BillingDocument
  y: number
}

/** Lays out a document on as many pages as it needs. Its text must be printable. */
export async function layOut(paper: Paper, document: BillingDocument): Promise<void> {
  const sheet: Sheet = { paper, document, y: top }
  await paper.turn()
  heading(sheet)
  parties(sheet)
  tableHead(sheet)
  for (const line of document.lines) await row(sheet, line)
  await closing(sheet)
}

/** Draws the footer of one page, once the number of pages is known. */
export function layFoot(paper: Paper, document: BillingDocument, number: number, of: number): void {
  paper.rule({ from: left, to: right, y: foot - 10, thickness: 0.5, colour: colours.hair })
  const { name, abn } = document.seller
  const [whose] = atMost(1, wrap(paper, abn === null ? name : `${name} · ${abnOf(abn)}`, inks.small, 260))
  paper.write(whose!.text, left, foot, inks.small)
  const where = { text: `${titleOf(document)} ${document.number} · Page ${number} of ${of}`, ink: inks.small }
  writeUpTo(paper, where, right, foot)
}

function heading(sheet: Sheet): void {
  const { paper, document } = sheet
  paper.rule({ from: left, to: left + 36, y: top - 12, thickness: 3, colour: colours.accent })
  paper.write(titleOf(document), left, top, inks.title)
  const subtitle = subtitleOf(document)
  if (subtitle) paper.write(subtitle, left, top + 30, inks.muted)
  const end = column(paper, right, top + 2, [
    ...wrap(paper, document.seller.name, inks.name, 210),
    ...sellerLines(document.seller).flatMap((line) => wrap(paper, line, inks.muted, 210)),
  ])
  sheet.y = Math.max(end, top + 56) + gap / 2
}

/** Writes lines below each other, aligned right; returns the y below the last one. */
function column(paper: Paper, to: number, y: number, lines: readonly Line[]): number {
  const shown = atMost(12, lines)
  for (const [index, line] of shown.entries()) writeUpTo(paper, line, to, y + index * step)
  return y + shown.length * step
}

function parties(sheet: Sheet): void {
  const { paper, document } = sheet
  const { amount, sentence } = headlineOf(document)
  paper.rule({ from: left, to: right, y: sheet.y, thickness: 0.5, colour: colours.hair })
  const y = sheet.y + gap * 0.75
  const buyer = [
    ...wrap(paper, document.buyer.name, inks.name, 240),
    ...buyerLines(document.buyer).flatMap((line) => wrap(paper, line, inks.text, 240)),
  ]
  paper.write(buyerLabel(document), left, y, inks.label)
  const shown = atMost(14, buyer)
  for (const [index, line] of shown.entries()) paper.write(line.text, left, y + 15 + index * step, line.ink)
  const facts = factTable(sheet, y)
  sheet.y = Math.max(y + 15 + shown.length * step, facts) + gap
  paper.write(amount, left, sheet.y, inks.headline)
  paper.write(sentence, left + paper.width(amount, inks.headline) + 8, sheet.y + 6.5, inks.muted)
  sheet.y += 40
}

/** Writes the facts beside the buyer; returns the y below the last one. */
function factTable({ paper, document }: Sheet, from: number): number {
  let y = from
  for (const [label, value] of factsOf(document)) {
    paper.write(label, 330, y, inks.muted)
    y = Math.max(y + step, column(paper, right, y, wrap(paper, value, inks.text, 130))) + 2
  }
  return y
}

function tableHead(sheet: Sheet): void {
  const { paper } = sheet
  for (const { label, ...place } of columns) {
    if ('from' in place) paper.write(label, place.from, sheet.y, inks.label)
    else writeUpTo(paper, { text: label, ink: inks.label }, place.to, sheet.y)
  }
  sheet.y += 14
  paper.rule({ from: left, to: right, y: sheet.y, thickness: 1, colour: colours.ink })
}

/** Starts a continuation page with a small heading. */
async function turnPage(sheet: Sheet, within: 'table' | 'text'): Promise<void> {
  const { paper, document } = sheet
  await paper.turn()
  paper.write(`${titleOf(document)} ${document.number}, continued`, left, top - 12, inks.muted)
  sheet.y = top + 12
  if (within === 'table') tableHead(sheet)
}

/** Padding above and below the text of a row; unequal, because text is positioned by its upper edge. */
const [above, below] = [6.5, 4.5]
/** A row with more lines than this may be split across pages. */
const splitsAfter = 8

async function row(sheet: Sheet, line: DocumentLine): Promise<void> {
  const cells = cellsOf(sheet.paper, line)
  const count = Math.max(...cells.map((cell) => cell.length))
  const fitting = (): number => Math.floor((bottom - sheet.y - above - below) / step)
  if (fitting() < Math.min(count, splitsAfter)) await turnPage(sheet, 'table')
  for (let from = 0; from < count;) {
    if (from > 0) await turnPage(sheet, 'table')
    const until = Math.min(count, from + fitting())
    cells.forEach((cell, index) => writeCell(sheet, columns[index]!, cell.slice(from, until)))
    sheet.y += (until - from) * step + above + below
    sheet.paper.rule({ from: left, to: right, y: sheet.y, thickness: 0.5, colour: colours.hair })
    from = until
  }
}

function writeCell({ paper, y }: Sheet, place: (typeof columns)[number], lines: readonly Line[]): void {
  for (const [index, line] of lines.entries()) {
    const at = y + above + index * step
    if ('from' in place) paper.write(line.text, place.from, at, line.ink)
    else writeUpTo(paper, line, place.to, at)
  }
}

function cellsOf(paper: Paper, line: DocumentLine): Line[][] {
  const [description, ...figures] = columns
  const order = line.order_id === null ? [] : wrap(paper, `Order ${line.order_id}`, inks.small, description.width)
  const texts = [quantityOf(line), priceOf(line), dollars(line.amount_cents)]
  return [
    [...wrap(paper, line.description, inks.text, description.width), ...order],
    ...figures.map(({ width }, index) => wrap(paper, texts[index]!, inks.text, width)),
  ]
}

/** The totals and the notes below them, on one page unless the notes are too long. */
async function closing(sheet: Sheet): Promise<void> {
  const { paper, document } = sheet
  const facts = totalsOf(document)
  const paragraphs = [figuresSentence(document), ...document.notes].map((note) =>
    wrap(paper, note, inks.muted, right - left),
  )
  const height = 12 + facts.length * 16 + 7 + gap + paragraphs.flat().length * step + paragraphs.length * 4
  if (bottom - sheet.y < Math.min(height, 240)) await turnPage(sheet, 'text')
  totals(sheet, facts)
  for (const lines of paragraphs) {
    for (const line of lines) {
      if (sheet.y + step > bottom) await turnPage(sheet, 'text')
      paper.write(line.text, left, sheet.y, line.ink)
      sheet.y += step
    }
    sheet.y += 4
  }
}

function totals(sheet: Sheet, facts: readonly Fact[]): void {
  const { paper } = sheet
  sheet.y += 12
  for (const [index, [label, amount]] of facts.entries()) {
    const last = index === facts.length - 1
    if (last) {
      paper.rule({ from: 330, to: right, y: sheet.y, thickness: 1, colour: colours.ink })
      sheet.y += 7
    }
    paper.write(label, 330, sheet.y, last ? inks.total : inks.muted)
    writeUpTo(paper, { text: amount, ink: last ? inks.total : inks.text }, right, sheet.y)
    sheet.y += 16
  }
  sheet.y += gap
}
