import { analyticsTexts } from '../texts/analytics.ts'
import { DataTable, type Column } from '../ui/data-table.tsx'
import { formatPercent } from '../ui/format.ts'
import { formatMeasured, type ZonalResult, type Zone, type ZoneValues } from './method-results.ts'
import typography from '../ui/typography.module.css'

const words = analyticsTexts

interface ZoneTableProps {
  readonly result: ZonalResult
  /** A value as a person knows it. */
  readonly nameOf?: (values: ZoneValues) => string
}

const rows: readonly (readonly [name: string, read: (values: ZoneValues) => string])[] = [
  [words.count, ({ count }) => formatMeasured(count)],
  [words.valid, ({ valid_percent }) => formatPercent(valid_percent)],
  [words.min, ({ min }) => formatMeasured(min)],
  [words.p2, ({ percentiles }) => formatMeasured(percentiles['2'])],
  [words.mean, ({ mean }) => formatMeasured(mean)],
  [words.median, ({ median }) => formatMeasured(median)],
  [words.p98, ({ percentiles }) => formatMeasured(percentiles['98'])],
  [words.max, ({ max }) => formatMeasured(max)],
  [words.std, ({ std }) => formatMeasured(std)],
  [words.sum, ({ sum }) => formatMeasured(sum)],
]

const nameOfBand = ({ name, band_name }: ZoneValues): string => band_name ?? name

/** The statistics of one or several areas. */
export function ZoneTable({ result: { zones, weighted }, nameOf = nameOfBand }: ZoneTableProps) {
  return (
    <>
      {zones.map((zone, at) => (
        <div key={zone.id ?? at}>
          {zones.length > 1 && <h3>{zone.id ?? at + 1}</h3>}
          <OneZone zone={zone} nameOf={nameOf} />
        </div>
      ))}
      <small className={typography['note']}>{weighted ? words.weighted : words.unweighted}</small>
      {zones.some(({ approximate }) => approximate) && (
        <small className={typography['note']}>{words.approximate}</small>
      )}
    </>
  )
}

function OneZone({ zone: { values }, nameOf }: { zone: Zone; nameOf: (values: ZoneValues) => string }) {
  if (values.length === 0) return <p className={typography['note']}>{words.outside}</p>
  const columns: readonly Column<(typeof rows)[number]>[] = [
    { title: words.band, render: ([name]) => name },
    ...values.map((one) => ({
      title: nameOf(one),
      isNumeric: true,
      render: ([, read]: (typeof rows)[number]) => read(one),
    })),
  ]
  return <DataTable label={words.zones} columns={columns} rows={rows} getKey={([name]) => name} />
}
