import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getDocumentProxy } from 'unpdf'
import { makeDocumentFonts } from '../../../platform/pdf-text/fonts.ts'
import { isolateBidiText } from '../../../platform/pdf-text/isolates.ts'
import { renderReportPdf } from './render-report.ts'
import type { ReportMapFeature, ReportDocument } from './report-document.ts'
import { reportPageSize } from './report-page.ts'
import { createTextRunDivider } from '../../../platform/pdf-text/text-runs.ts'
import { wrapTextIntoLines } from '../../../platform/pdf-text/text-writer.ts'

const emptyDocument: ReportDocument = {
  title: 'Orders',
  subtitle: 'Acme',
  facts: [['Items', '3']],
  charts: [],
  map: null,
  table: { title: 'Details', columns: [{ title: 'Name', weight: 1 }], rows: [], omitted: 0 },
  footer: 'Acme',
}

interface PlacedText {
  readonly text: string
  readonly left: number
  readonly right: number
  /** The position of the baseline, from the top of the page. */
  readonly y: number
}

/** Reads the positions of the texts of the first page with PDF.js. */
async function readPlaces(document: Partial<ReportDocument>): Promise<PlacedText[]> {
  const bytes = await renderReportPdf({ ...emptyDocument, ...document }, new Date(0))
  const first = await (await getDocumentProxy(Uint8Array.from(bytes))).getPage(1)
  const { items } = await first.getTextContent()
  return items.flatMap((item) =>
    'str' in item && item.str.trim() !== ''
      ? [
          {
            text: item.str,
            left: item.transform[4] as number,
            right: (item.transform[4] as number) + item.width,
            y: reportPageSize.height - (item.transform[5] as number),
          },
        ]
      : [],
  )
}

const find = (places: readonly PlacedText[], text: string): PlacedText => {
  const place = places.find((one) => one.text.includes(text))
  assert.ok(place, `${text} in ${places.map((one) => one.text).join(' | ')}`)
  return place
}

const longName = 'The northern plantations of the cooperative between the river and the coast, second phase'

test('long texts are continued on further lines, inside of the page and apart from each other', async () => {
  const columns = [
    { title: 'Name', weight: 1 },
    { title: 'Size', weight: 0, fits: true, align: 'right' as const },
  ]
  const places = await readPlaces({
    title: `Report on ${longName}`,
    facts: [
      ['Project', longName],
      ['Items', '3'],
      ['Size', '1 TB'],
    ],
    charts: [{ title: 'By project', unit: 'items', kind: 'bars', values: [{ label: longName, value: 7 }] }],
    table: { title: 'Details', columns, rows: [[`${longName} ${longName}`, '12,345,678.9 GB']], omitted: 0 },
  })
  for (const { text, left, right } of places)
    assert.ok(left >= reportPageSize.left - 1 && right <= reportPageSize.right + 1, `${text} from ${left} to ${right}`)
  assert.ok(find(places, 'second phase').y > find(places, 'Report on').y, 'the end of the title is on its second line')
  const size = find(places, '12,345,678.9 GB')
  const cells = places.filter(({ y }) => y >= size.y - 1 && y < 760 && y > find(places, 'Details').y)
  assert.equal(cells.length, 3, 'two lines of the name, and the size')
  assert.ok(cells.every(({ text, right }) => text === size.text || right < size.left))
})

test('a name in Arabic beside English text keeps its place, with its brackets', async () => {
  const name = 'شركة الصور (ذ.م.م.)'
  const text = `Orders · ${isolateBidiText(name)} · 2030`
  const fonts = await makeDocumentFonts([text])
  const runs = createTextRunDivider(fonts)(fonts.toPrintable(text), 400).map((run) => run.text)
  assert.equal(runs[0], 'Orders · ')
  assert.equal(runs.at(-1), ' · 2030')
  const places = await readPlaces({ subtitle: text })
  assert.ok(find(places, 'Orders ·').right <= find(places, 'شركة').left)
  assert.ok(find(places, 'شركة').right <= find(places, '2030').left + 0.1)
})

test('lines end after words, also of scripts without spaces, and keep the direction of their text', () => {
  const measure = (text: string): number => text.replaceAll(/[\u2066-\u2069]/g, '').length
  const wrap = (text: string, width: number, max_lines = 9) => wrapTextIntoLines(text, { width, max_lines, measure })
  assert.deepEqual(wrap('one (two) three', 9), ['one (two)', 'three'])
  assert.deepEqual(wrap('a_very_long_identifier', 10), ['a_very_lon', 'g_identifi', 'er'])
  assert.deepEqual(wrap('one two three four', 7, 2), ['one two', 'three four'])
  assert.deepEqual(wrap('東京都の農地。', 4), ['東京都の', '農地。'])
  assert.deepEqual(wrap('مزارع North', 6), ['\u2067مزارع\u2069', '\u2067North\u2069'])
})

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

const footprint = (label: string, west: number, south: number, size = 1): ReportMapFeature => ({
  geometry: square(west, south, size),
  role: 'footprint',
  label,
})

test('a map of the Earth names each meridian once, and a small footprint is marked beside its label', async () => {
  const features = [footprint('Anchorage', -150, 61), footprint('Perth', 115, -32), footprint('Rio', -43, -23), footprint('Tehran', 51, 35)] // prettier-ignore
  const places = await readPlaces({ map: { title: 'Where', legend: 'Orders', features, omitted: 0 } })
  const meridians = places.flatMap(({ text }) => text.match(/^\d+°[EW]?$/g) ?? []).filter((text) => text !== '0°')
  assert.ok(meridians.length >= 3)
  assert.equal(new Set(meridians).size, meridians.length, meridians.join(' '))
  assert.match(find(places, 'Natural Earth').text, /110 million; Equirectangular/)
  for (const name of ['Anchorage', 'Perth', 'Rio', 'Tehran']) find(places, name)
})

test('the label of a footprint is cut to the map, and its scale and legend are beside the map', async () => {
  const map = { title: 'Where', legend: 'Ordered areas', features: [footprint(longName, 10, 50, 0.1)], omitted: 0 }
  const places = await readPlaces({ map })
  const edge = reportPageSize.right - 130
  assert.ok(find(places, 'The northern').right < edge)
  for (const { text, left, right } of places.filter(({ text }) => /°[EWNS]$/.test(text)))
    assert.ok(left >= reportPageSize.left && right <= edge, text)
  for (const text of [' km', 'Scale at', 'Ordered areas']) assert.ok(find(places, text).left >= edge, text)
})

test('a chart names its unit once, and the number of bars that it omits', async () => {
  const values = Array.from({ length: 12 }, (_, at) => ({ label: `P${at}`, value: 20 - at }))
  const places = await readPlaces({
    charts: [
      { title: 'Calls by operation', unit: 'calls', kind: 'bars', values },
      { title: 'Egress', unit: 'GB', kind: 'columns', values },
    ],
  })
  find(places, 'Calls by operation (largest 10 of 12)')
  const title = find(places, 'Egress, GB')
  const axis = places.filter(
    ({ text, y, right }) => /^\d+$/.test(text) && y > title.y - 5 && right < reportPageSize.left + 46,
  )
  assert.ok(
    axis.every(({ y }) => y > title.y + 8),
    'the axis is below the title',
  )
})
