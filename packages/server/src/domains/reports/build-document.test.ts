import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildReportDocument } from './build-document.ts'
import { chooseReportGranularity, sumReportColumns, type ReportRow } from './report.ts'
import type { ReportData } from './report-data.ts'
import { reportTypes, type ReportType } from './report-types.ts'

const project = '00000000-0000-4000-8000-000000000001'

function build(report_type: ReportType, rows: readonly ReportRow[]) {
  const [from, to] = [new Date('2030-01-01T00:00:00Z'), new Date('2030-02-01T00:00:00Z')]
  const data: ReportData = {
    subject: { report_type, project_id: null, area: null, area_name: null },
    scope: {
      organization: '',
      projects: [],
      withoutProject: true,
      from,
      to,
      area: null,
      period: chooseReportGranularity(from, to),
    },
    organization_name: 'Acme',
    rows,
    totals: sumReportColumns(rows, reportTypes[report_type].summed),
    places: [],
    cover: null,
    names: new Map([[project, 'Harbour']]),
    generated_at: new Date('2030-02-01T06:00:13Z'),
  }
  return buildReportDocument(data, 'Name')
}

test('sizes have the unit that suits them, in facts, charts and the table', () => {
  const row = { project_id: project, collection_id: null, items: 2, assets: 4, file_bytes: 2_500_000_000_000, first_day: '2029-01-03', last_day: '2029-12-31' } // prettier-ignore
  const { facts, charts, table } = build('inventory', [row, { ...row, file_bytes: 1500 }])
  assert.deepEqual(facts.at(-1), ['Size', '2.5 TB'])
  assert.deepEqual([charts[0]?.unit, charts[0]?.values], ['TB', [{ label: 'Harbour', value: 2.5000000015 }]])
  assert.deepEqual(
    table.rows.map((cells) => [cells[1], cells.at(-1)]),
    [
      ['No collection', '2.5 TB'],
      ['No collection', '0 MB'],
    ],
  )
})

test('charges without a project are a bar of their own, so that the bars add up to the total', () => {
  const row = { period: '2030-01-03', project_id: project, product: 'a', charges: 1, credits: 5 }
  const { charts, table } = build('spending', [row, { ...row, project_id: null, credits: 7 }])
  assert.deepEqual(charts[2]?.values, [
    { label: 'No project', value: 7 },
    { label: 'Harbour', value: 5 },
  ])
  assert.deepEqual(
    table.rows.map(([, name]) => name),
    ['Harbour', 'No project'],
  )
})

test('columns of the table name the unit of money and the zone of dates, and statuses are words', () => {
  const row = { period: '2030-01-03', project_id: project, type: 'archive', status: 'FAILED_PERMANENTLY', orders: 1, total_credits: 5, captured_credits: 0, refunded_credits: 0 } // prettier-ignore
  const { table, subtitle, footer } = build('orders', [row])
  assert.deepEqual(
    table.columns.map(({ title }) => title),
    ['Period, UTC', 'Project', 'Type', 'Status', 'Orders', 'Priced, credits', 'Charged, credits'],
  )
  assert.deepEqual(table.rows[0]?.slice(2, 4), ['Archive', 'Failed permanently'])
  assert.match(subtitle, /^Orders · 1 Jan 2030 to 31 Jan 2030 \(UTC\) · .Acme.$/)
  assert.match(footer, /^Generated 2030-02-01 06:00 UTC · .Acme.$/)
})

test('traffic without an operation is named', () => {
  const row = { period: '2030-01-03', operation: null, calls: 0, failed_calls: 0, duration_ms: 0, egress_bytes: 3_000_000, transfers: 2 } // prettier-ignore
  const { table, charts } = build('usage', [row])
  assert.deepEqual(table.rows[0]?.slice(0, 2), ['2030-01-03', 'Downloads'])
  assert.deepEqual([charts[1]?.unit, charts[2]?.values], ['MB', []])
})
