import { useState } from 'react'
import { useOperations } from '../../../api/use-operation.ts'
import { viewerTexts } from '../../../texts/viewer.ts'
import { DataTable } from '../../../ui/data-table.tsx'
import { SelectField } from '../../../ui/field.tsx'
import { formatDate } from '../../../ui/format.ts'
import { LineChart } from '../../../ui/chart/line-chart.tsx'
import { Section } from '../../../ui/screen.tsx'
import { formatValue } from '../picture/histogram.ts'
import type { Position } from '../state/viewer-state.ts'
import type { ViewItem } from '../state/view-item.ts'
import type { TabProps } from '../tab-props.ts'
import { AddCovering } from './add-covering.tsx'
import typography from '../../../ui/typography.module.css'

const shownPicture = 'picture'
const firstChoice = 'ndvi'

/** One value at a point over all items of the viewer, by their dates. */
export function TimeSeries({ viewer, items, read, point }: TabProps & { point: Position }) {
  const { picture, presets } = read
  const singles = presets.filter(({ kind }) => kind === 'index')
  const choices = [
    ...(picture!.isSingle ? [{ value: shownPicture, label: picture!.label }] : []),
    ...singles.map(({ id, label }) => ({ value: id, label })),
    { value: 'b1', label: viewerTexts.oneBand },
  ]
  const [wanted, setWanted] = useState<string | null>(null)
  const chosen = choices.find(({ value }) => value === wanted) ?? choices.find(({ value }) => [shownPicture, firstChoice].includes(value)) ?? choices[0]! // prettier-ignore
  const query = chosen.value === shownPicture ? picture!.query : chosen.value === 'b1' ? { bands: '1' } : { profile: chosen.value } // prettier-ignore
  const dated = items.filter(({ datetime }) => datetime !== null)
  const rows = useSeries(dated, point, query)
  const known = rows.filter(({ value }) => value !== null)
  return (
    <Section title={viewerTexts.series}>
      <SelectField label={viewerTexts.measureWhat} value={chosen.value} choices={choices} onChange={setWanted} />
      {dated.length < 2 && <p className={typography['note']}>{viewerTexts.seriesHelp}</p>}
      {known.length > 1 && (
        <LineChart
          label={viewerTexts.seriesOf(chosen.label)}
          x={rows.map(({ time_ms }) => time_ms)}
          series={[{ name: chosen.label, colour: 'var(--accent)', values: rows.map(({ value }) => value) }]}
          formatX={(time_ms) => formatDate(new Date(time_ms).toISOString())}
          formatY={formatValue}
          hasMarks
        />
      )}
      {dated.length > 1 && (
        <details>
          <summary>{viewerTexts.asTable}</summary>
          <DataTable
            label={viewerTexts.seriesOf(chosen.label)}
            rows={rows}
            getKey={({ item }) => item.id}
            columns={[
              { title: viewerTexts.date, render: ({ time_ms }) => formatDate(new Date(time_ms).toISOString()) },
              { title: viewerTexts.item, render: ({ item }) => item.name },
              { title: chosen.label, isNumeric: true, render: ({ value }) => (value === null ? '—' : formatValue(value)) }, // prettier-ignore
            ]}
          />
        </details>
      )}
      <AddCovering viewer={viewer} path={[point]} />
    </Section>
  )
}

interface SeriesRow {
  readonly item: ViewItem
  readonly time_ms: number
  /** Null outside the item, without data, or while it is read. */
  readonly value: number | null
}

function useSeries(items: readonly ViewItem[], [lon, lat]: Position, query: object): SeriesRow[] {
  const reads = useOperations(
    'items.tile.point',
    items.map(({ id }) => ({ item_id: id, lon, lat, ...query })),
  )
  return items
    .map((item, at) => ({
      item,
      time_ms: Date.parse(item.datetime!),
      value: reads[at]!.data?.values[0]?.value ?? null,
    }))
    .toSorted((a, b) => a.time_ms - b.time_ms)
}
