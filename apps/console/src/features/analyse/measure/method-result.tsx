import type { ReactNode } from 'react'
import { AreaSeries } from '../../../analytics/area-series.tsx'
import { ChangeView } from '../../../analytics/change-view.tsx'
import {
  formatMeasured,
  type AreaSeriesResult,
  type ChangeResult,
  type ZonalResult,
} from '../../../analytics/method-results.ts'
import { ZoneTable } from '../../../analytics/zone-table.tsx'
import { analyseTexts } from '../../../texts/analyse.ts'
import { analyticsTexts } from '../../../texts/analytics.ts'
import { LineChart } from '../../../ui/chart/line-chart.tsx'
import { formatDate } from '../../../ui/format.ts'
import styles from '../analyse.module.css'
import typography from '../../../ui/typography.module.css'

const words = analyticsTexts

const series_colours = ['var(--accent)', 'oklch(0.62 0.2 27)', 'oklch(0.62 0.17 148)', 'oklch(0.58 0.16 255)']
const colourOf = (at: number): string => series_colours[at % series_colours.length]!

interface NamedValues {
  readonly name: string
  readonly band_name?: string | null
}
const nameOf = ({ name, band_name }: NamedValues): string => band_name ?? name

interface HistogramResult {
  readonly histograms: readonly (NamedValues & {
    readonly counts: readonly number[]
    readonly edges: readonly number[]
  })[]
}

const Histograms = ({ histograms }: HistogramResult) =>
  histograms.map((histogram) => (
    <LineChart
      key={histogram.name}
      label={words.histogram(nameOf(histogram))}
      // A bin stands at its middle.
      x={histogram.counts.map((_, at) => (histogram.edges[at]! + histogram.edges[at + 1]!) / 2)}
      series={[{ name: nameOf(histogram), colour: colourOf(0), values: histogram.counts }]}
      formatX={formatMeasured}
      formatY={formatMeasured}
    />
  ))

interface ProfileResult {
  readonly positions: readonly { readonly distance_m: number }[]
  readonly values: readonly (NamedValues & { readonly values: readonly (number | null)[] })[]
}

const Profile = ({ positions, values }: ProfileResult) => (
  <LineChart
    label={words.profile}
    x={positions.map(({ distance_m }) => distance_m)}
    series={values.map((one, at) => ({ name: nameOf(one), colour: colourOf(at), values: one.values }))}
    formatX={(distance_m) => `${formatMeasured(distance_m)} m`}
    formatY={formatMeasured}
  />
)

interface PointSeriesResult {
  readonly series: readonly {
    readonly datetime: string
    readonly values: readonly (NamedValues & { readonly values: readonly (number | null)[] })[]
  }[]
}

function PointSeries({ series }: PointSeriesResult) {
  const first = series[0]?.values[0]
  if (!first) return <p className={typography['note']}>{words.outside}</p>
  return (
    <LineChart
      label={words.seriesOf(nameOf(first))}
      x={series.map(({ datetime }) => Date.parse(datetime))}
      series={first.values.map((_, point) => ({
        name: words.point(point + 1),
        colour: colourOf(point),
        values: series.map(({ values }) => values[0]?.values[point] ?? null),
      }))}
      formatX={(time_ms) => formatDate(new Date(time_ms).toISOString())}
      formatY={formatMeasured}
      hasMarks
    />
  )
}

type Result = Readonly<Record<string, unknown>>

/** The view of the result of each method. */
const views: Readonly<Record<string, (result: Result) => ReactNode>> = {
  zonal_stats: (result) => <ZoneTable result={result as unknown as ZonalResult} />,
  time_series: (result) => <AreaSeries result={result as unknown as AreaSeriesResult} />,
  change_detection: (result) => <ChangeView result={result as unknown as ChangeResult} />,
  histogram: (result) => <Histograms {...(result as unknown as HistogramResult)} />,
  line_profile: (result) => <Profile {...(result as unknown as ProfileResult)} />,
  point_series: (result) => <PointSeries {...(result as unknown as PointSeriesResult)} />,
}

/** The result of a measurement: as figures and curves if its kind has a view, and as JSON. */
export function MethodResult({ method, result }: { method: string; result: Result }) {
  const view = views[method]
  return (
    <>
      {view?.(result)}
      <details open={!view}>
        <summary>{analyseTexts.asJson}</summary>
        <pre className={styles['json']} tabIndex={0}>
          {JSON.stringify(result, null, 2)}
        </pre>
      </details>
    </>
  )
}
