import { analyticsTexts } from '../texts/analytics.ts'
import { LineChart } from '../ui/chart/line-chart.tsx'
import { DataTable } from '../ui/data-table.tsx'
import { formatDate } from '../ui/format.ts'
import { formatMeasured, type AreaSeriesResult } from './method-results.ts'
import typography from '../ui/typography.module.css'
import layout from '../ui/layout.module.css'

const words = analyticsTexts

interface AreaSeriesProps {
  readonly result: AreaSeriesResult
  /** The name of the measured quantity for people; default the platform's name. */
  readonly name?: string
}

const toDate = (time_ms: number): string => formatDate(new Date(time_ms).toISOString())

/** The mean of an area by date, between the low and the high values of its pixels. */
export function AreaSeries({ result: { series, skipped, truncated }, name }: AreaSeriesProps) {
  const known = series.flatMap(({ item_id, datetime, values: [first] }) =>
    first ? [{ item_id, time_ms: Date.parse(datetime), values: first }] : [],
  )
  const label = words.seriesOf(name ?? known[0]?.values.name ?? '')
  const read = (pick: (values: (typeof known)[number]['values']) => number | null | undefined): (number | null)[] =>
    known.map(({ values }) => pick(values) ?? null)
  return (
    <>
      {known.length > 1 && (
        <LineChart
          label={label}
          x={known.map(({ time_ms }) => time_ms)}
          series={[
            { name: words.mean, colour: 'var(--accent)', values: read(({ mean }) => mean) },
            { name: words.low, colour: 'var(--text-muted)', values: read(({ percentiles }) => percentiles['2']), isReference: true }, // prettier-ignore
            { name: words.high, colour: 'var(--text-muted)', values: read(({ percentiles }) => percentiles['98']), isReference: true }, // prettier-ignore
          ]}
          formatX={toDate}
          formatY={formatMeasured}
          hasMarks
        />
      )}
      {known.length === 1 && <p className={typography['note']}>{words.tooFew}</p>}
      {known.length > 0 && (
        <details open={known.length === 1}>
          <summary>{words.asTable}</summary>
          <DataTable
            label={label}
            rows={known}
            getKey={({ item_id }) => item_id}
            columns={[
              { title: words.date, render: ({ time_ms }) => toDate(time_ms) },
              { title: words.low, isNumeric: true, render: ({ values }) => formatMeasured(values.percentiles['2']) },
              { title: words.mean, isNumeric: true, render: ({ values }) => formatMeasured(values.mean) },
              { title: words.high, isNumeric: true, render: ({ values }) => formatMeasured(values.percentiles['98']) },
            ]}
          />
        </details>
      )}
      {truncated && <small className={typography['note']}>{words.truncated}</small>}
      {skipped.length > 0 && (
        <details>
          <summary>{words.skipped(skipped.length)}</summary>
          <ul className={`${layout['bullets']} ${typography['note']}`}>
            {skipped.map(({ item_id, reason }) => (
              <li key={item_id}>{reason}</li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}
