import assert from 'node:assert/strict'
import { test } from 'node:test'
import { extractText, getDocumentProxy } from 'unpdf'
import {
  isFontFileForCodePoint,
  listFontFiles,
  makeDocumentFonts,
  parseUnicodeRanges,
} from '../../../platform/pdf-text/fonts.ts'
import { renderReportPdf } from './render-report.ts'
import type { ReportDocument } from './report-document.ts'
import { createTextRunDivider } from '../../../platform/pdf-text/text-runs.ts'

const square = (west: number, south: number, size: number) => ({
  type: 'Polygon' as const,
  coordinates: [
    [
      [west, south],
      [west + size, south],
      [west + size, south + size],
      [west, south + size],
      [west, south],
    ],
  ],
})

const baseDocument: ReportDocument = {
  title: 'Area monitoring',
  subtitle: 'Acme',
  facts: [['Items', '3']],
  charts: [],
  map: null,
  table: { title: 'Details', columns: [{ title: 'Name', weight: 1 }], rows: [], omitted: 0 },
  footer: 'Acme',
}

/** The text of each page, read by PDF.js, without the spaces between runs. */
async function readPages(bytes: Uint8Array): Promise<string[]> {
  const { text } = await extractText(await getDocumentProxy(Uint8Array.from(bytes)), { mergePages: false })
  return text.map((page) => page.normalize('NFC'))
}

const compact = (text: string): string => text.replaceAll(/\s+/g, '')

const placeNames = [
  'مزارع النخيل',
  '東京都千代田区',
  'Thành phố Hồ Chí Minh',
  '서울특별시',
  '广州市的农田',
  'Αθήνα',
  'Київ',
  'תל אביב',
  'กรุงเทพ',
] as const

test('names in all scripts are read back from the PDF, whose fonts are embedded', async () => {
  const rows = placeNames.map((name) => [name])
  const bytes = await renderReportPdf(
    { ...baseDocument, title: `Report on ${placeNames[0]}`, table: { ...baseDocument.table, rows } },
    new Date(0),
  )
  const [page = ''] = await readPages(bytes)
  for (const name of placeNames) assert.ok(compact(page).includes(compact(name)), `${name} in ${page}`)
  const source = Buffer.from(bytes).toString('latin1')
  const fontCount = source.match(/\/Type0\b/g)?.length ?? 0
  assert.ok(fontCount >= placeNames.length - 2)
  assert.equal(source.match(/\/FontFile2\b/g)?.length, fontCount, 'each font has its file')
})

test('text from right to left is divided by direction, and its letters are joined and its brackets mirrored', async () => {
  const fonts = await makeDocumentFonts(['بيت (12) North'])
  const runs = createTextRunDivider(fonts)('بيت (12) North', 400)
  // From left to right: the paragraph runs from right to left, so the English word is seen first.
  assert.deepEqual(
    runs.map(({ text }) => text),
    ['North', '\u200f) ', '12', '\u200f (', '\u200fبيت'],
  )
  const glyphsOf = (text: string, font: string) =>
    fonts.fonts
      .get(font)!
      .layout(text)
      .glyphs.map(({ glyph }) => glyph)
  const { font: arabic, text: word } = runs.at(-1)!
  const letters = Array.from('تيب').flatMap((letter) => glyphsOf(`\u200f${letter}`, arabic))
  assert.equal(glyphsOf(word, arabic).length, letters.length)
  assert.notDeepEqual(glyphsOf(word, arabic), letters, 'joined letters have other forms than single ones')
  const { font: latin } = runs[0]!
  assert.deepEqual(glyphsOf('\u200f) ', latin), glyphsOf(' (', latin))
})

test('a letter is set in the typeface that has its marks too', async () => {
  const fonts = await makeDocumentFonts(['Ọ̀ṣun'])
  const [first] = createTextRunDivider(fonts)('Ọ̀ṣun', 400)
  assert.ok(first!.text.startsWith('Ọ̀'))
  assert.ok(
    fonts.fonts
      .get(first!.font)!
      .layout('Ọ̀')
      .glyphs.every(({ glyph }) => glyph !== 0),
  )
})

test('a run that cannot be shaped is a question mark', () => {
  const layout = (text: string) => {
    if (text === 'b') throw new RangeError('no rule')
    const glyphs = [{ id: 1, advanceWidth: 1, codePoints: [], glyph: text === 'c' ? 0 : 1 }]
    return { glyphs, positions: [], advanceWidth: 1 }
  }
  const divide = createTextRunDivider({
    fonts: new Map(['a', 'b', 'c', '?'].map((name) => [name, { layout }])),
    splitUnits: (text) => Array.from(text),
    nameOf: (unit) => unit,
    toPrintable: (text) => text,
  })
  assert.deepEqual(
    divide('abc', 400).map(({ text, font }) => [text, font]),
    [
      ['a', 'a'],
      ['?', '?'],
      ['?', '?'],
    ],
  )
})

test('a character that no typeface has is a question mark, and accents are composed', async () => {
  const files = await listFontFiles()
  assert.ok(!files.some((file) => isFontFileForCodePoint(file, 0x12000)), 'cuneiform')
  const { toPrintable } = await makeDocumentFonts(['\u{12000} Da\u0302\u0323y\n\u202eabc'])
  assert.equal(toPrintable('\u{12000} Da\u0302\u0323y\n\u202eabc'), '? Dậy abc')
  assert.deepEqual(parseUnicodeRanges('U+0-FF, U+131'), [
    [0, 255],
    [0x131, 0x131],
  ])
})

test('a long table is continued with its header, and states the number of omitted rows', async () => {
  const rows = Array.from({ length: 120 }, (_, at) => [`Row ${at}`])
  const bytes = await renderReportPdf(
    { ...baseDocument, table: { ...baseDocument.table, rows, omitted: 7 } },
    new Date(0),
  )
  const pages = await readPages(bytes)
  assert.ok(pages.length >= 3)
  for (const [at, page] of pages.entries()) {
    assert.ok(page.includes('Name'), `the header on page ${at + 1}`)
    assert.ok(page.includes(`Page ${at + 1} of ${pages.length}`))
  }
  assert.ok(pages.at(-1)!.includes('7 more rows'))
  for (const at of [0, 60, 119]) assert.equal(pages.filter((page) => new RegExp(`Row ${at}\\b`).test(page)).length, 1)
})

test('a map across the antimeridian labels both sides and its scale, and charts name their unit', async () => {
  const map = {
    title: 'Where',
    legend: 'Islands',
    omitted: 0,
    features: [
      { geometry: square(179, -18, 1), role: 'footprint' as const, label: 'Taveuni' },
      { geometry: square(-180, -18, 1), role: 'area' as const, label: 'Lau' },
    ],
  }
  const charts = [
    { title: 'Spending', unit: 'credits', kind: 'columns' as const, values: [{ label: '2030-01', value: 1234 }] },
    { title: 'By product', unit: 'credits', kind: 'bars' as const, values: [{ label: 'Imagery', value: 1234 }] },
    { title: 'Egress', unit: 'MB', kind: 'bars' as const, values: [] },
  ]
  const [page = ''] = await readPages(await renderReportPdf({ ...baseDocument, map, charts }, new Date(0)))
  for (const text of [
    'Taveuni',
    'Lau',
    '°E',
    '°W',
    '°S',
    ' km',
    'Spending, credits',
    '1,234',
    'Egress, MB',
    'Nothing',
    'Islands',
  ])
    assert.ok(page.includes(text), `${text} in ${page}`)
})
