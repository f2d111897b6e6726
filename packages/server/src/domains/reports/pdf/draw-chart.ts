import { scaleBand, scaleLinear } from 'd3-scale'
import type { ReportChart } from './report-document.ts'
import { reportColours, reportPageSize, reportTextStyles, type PageBox, type ReportPages } from './report-page.ts'

const chart_height = 118
const axis_width = 46
const bar_height = 13
const name_width = 170
const max_bars = 10
const title_height = 20
/** Between a title and the topmost value of an axis. */
const axis_gap = 8
const line_height = 11

const formatValue = new Intl.NumberFormat('en-AU', { maximumFractionDigits: 1 })
const formatTick = new Intl.NumberFormat('en-AU', { notation: 'compact', maximumFractionDigits: 1 })

/** Draws a chart with its title and unit below the existing content; one without values states that. */
export function drawReportChart(pages: ReportPages, chart: ReportChart): void {
  const isEmpty = chart.values.every(({ value }) => value === 0)
  const bars = listBars(pages, chart)
  const bars_height = bars.reduce((sum, bar) => sum + bar.height, 0)
  const height = isEmpty ? 16 : chart.kind === 'columns' ? axis_gap + chart_height + 14 : bars_height
  pages.reserve(title_height + height + 14)
  pages.text.write(titleOf(chart), { x: reportPageSize.left, y: pages.y }, reportTextStyles.heading, {
    width: reportPageSize.right - reportPageSize.left,
  })
  pages.y += title_height
  const box = { x: reportPageSize.left, y: pages.y, width: reportPageSize.right - reportPageSize.left, height }
  if (isEmpty)
    pages.text.write('Nothing in this period.', { x: reportPageSize.left, y: pages.y }, reportTextStyles.body)
  else if (chart.kind === 'columns') drawColumns(pages, chart, { ...box, y: box.y + axis_gap, height: chart_height })
  else drawBars(pages, bars, box)
  pages.y += height + 14
}

/** The title names the unit once, and says how many of the bars are shown. */
function titleOf({ title, unit, kind, values }: ReportChart): string {
  const withUnit = new RegExp(`\\b${unit}\\b`, 'i').test(title) ? title : `${title}, ${unit}`
  return kind === 'bars' && values.length > max_bars
    ? `${withUnit} (largest ${max_bars} of ${values.length})`
    : withUnit
}

interface Bar {
  readonly lines: readonly string[]
  readonly value: number
  readonly height: number
}

function listBars({ text }: ReportPages, { kind, values }: ReportChart): Bar[] {
  if (kind !== 'bars') return []
  return values.slice(0, max_bars).map(({ label, value }) => {
    const lines = text.wrap(label, reportTextStyles.body, { width: name_width - 8, max_lines: 2 })
    return { lines, value, height: bar_height + 4 + line_height * (lines.length - 1) }
  })
}

function drawColumns({ pdf, text }: ReportPages, { values }: ReportChart, box: PageBox): void {
  const { x, y, width, height } = box
  const scale = scaleLinear()
    .domain([0, Math.max(...values.map(({ value }) => value))])
    .nice(4)
    .range([y + height, y])
  // A part of an order means nothing.
  const areCounts = values.every(({ value }) => Number.isInteger(value))
  for (const tick of scale.ticks(4).filter((value) => !areCounts || Number.isInteger(value))) {
    const at = scale(tick)
    pdf
      .moveTo(x + axis_width, at)
      .lineTo(x + width, at)
      .lineWidth(0.5)
      .stroke(reportColours.rule)
    text.write(formatTick.format(tick), { x, y: at - 5 }, reportTextStyles.label, {
      width: axis_width - 6,
      align: 'right',
    })
  }
  const labels = values.map(({ label }) => label)
  const places = scaleBand()
    .domain(labels)
    .range([x + axis_width, x + width])
    .paddingInner(0.25)
    .paddingOuter(0.1)
  const column_width = Math.min(places.bandwidth(), 36)
  const centreOf = (label: string): number => places(label)! + places.bandwidth() / 2
  for (const { label, value } of values.filter((one) => one.value !== 0)) {
    const top = scale(value)
    pdf.rect(centreOf(label) - column_width / 2, top, column_width, y + height - top).fill(reportColours.accent)
  }
  const widest = Math.max(...labels.map((label) => text.widthOf(label, reportTextStyles.label)))
  const every = Math.ceil((widest + 8) / places.step())
  for (const label of labels.filter((_, at) => at % every === 0)) {
    const half = text.widthOf(label, reportTextStyles.label) / 2
    const left = Math.min(Math.max(centreOf(label) - half, x), x + width - 2 * half)
    text.write(label, { x: left, y: y + height + 4 }, reportTextStyles.label)
  }
}

function drawBars({ pdf, text }: ReportPages, bars: readonly Bar[], box: PageBox): void {
  const { x, y, width } = box
  const value_width = 60
  const scale = scaleLinear()
    .domain([0, Math.max(...bars.map(({ value }) => value))])
    .range([0, width - name_width - value_width])
  let top = y
  for (const { lines, value, height } of bars) {
    for (const [line, part] of lines.entries())
      text.write(part, { x, y: top + 1 + line_height * line }, reportTextStyles.body, { width: name_width - 8 })
    pdf.rect(x + name_width, top, Math.max(scale(value), 0.5), bar_height).fill(reportColours.accent)
    text.write(formatValue.format(value), { x: x + name_width + scale(value) + 5, y: top + 1 }, reportTextStyles.body)
    top += height
  }
}
