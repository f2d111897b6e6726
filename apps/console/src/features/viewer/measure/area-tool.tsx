import { geometryArea_km2 } from '@swath/geo/area.ts'
import { useOperation } from '../../../api/use-operation.ts'
import { texts } from '../../../texts.ts'
import { CopyCall } from '../../../ui/copy-call.tsx'
import { DataTable } from '../../../ui/data-table.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { Area } from '../../../ui/figures.tsx'
import { formatCount, formatPercent } from '../../../ui/format.ts'
import { QueryView } from '../../../ui/query-view.tsx'
import { formatValue } from '../picture/histogram.ts'
import type { TabProps } from '../tab-props.ts'
import styles from '../viewer.module.css'
import { DrawControls } from './draw-controls.tsx'
import { describeValue, toMeasuredInput } from './measured.ts'

/** The statistics of the picture within a drawn area. */
export function AreaTool(props: TabProps) {
  const { area } = props.viewer.state
  const isMeasured = area.length > 2 && props.read.picture && props.read.histograms.length > 0
  return (
    <DrawControls kind="area" path={area} onChange={(next) => props.viewer.adjust({ area: next })}>
      {isMeasured && <AreaStatistics {...props} />}
    </DrawControls>
  )
}

function AreaStatistics({ viewer, read }: TabProps) {
  const ring = [...viewer.state.area, viewer.state.area[0]!].map(([lon, lat]): [number, number] => [lon, lat])
  const geometry = { type: 'Polygon' as const, coordinates: [ring] }
  const input = { url: read.picture!.asset.href, geometry, percentiles: [2, 98], ...toMeasuredInput(read) }
  const statistics = useOperation('cog.statistics', input)
  const number = (value: number | null | undefined): string =>
    value === null || value === undefined ? '—' : formatValue(value)
  return (
    <QueryView query={statistics} rows={3}>
      {({ statistics: byName, approximate }) => {
        const columns = Object.entries(byName)
        const first = columns[0]?.[1]
        const rows = [
          [texts.viewer.min, columns.map(([, { min }]) => number(min))],
          [texts.viewer.p2, columns.map(([, { percentiles }]) => number(percentiles['2']))],
          [texts.viewer.mean, columns.map(([, { mean }]) => number(mean))],
          [texts.viewer.median, columns.map(([, { median }]) => number(median))],
          [texts.viewer.p98, columns.map(([, { percentiles }]) => number(percentiles['98']))],
          [texts.viewer.max, columns.map(([, { max }]) => number(max))],
          [texts.viewer.std, columns.map(([, { std }]) => number(std))],
        ] as const
        return (
          <>
            <Facts
              facts={[
                [texts.viewer.surface, <Area km2={geometryArea_km2(geometry)} />],
                [texts.viewer.pixels, first ? <span className="figures">{formatCount(first.count)}</span> : null],
                [
                  texts.viewer.valid,
                  first ? <span className="figures">{formatPercent(first.valid_percent)}</span> : null,
                ],
              ]}
            />
            <DataTable
              label={texts.viewer.statistics}
              rows={rows}
              getKey={([name]) => name}
              columns={[
                { title: texts.viewer.values, render: ([name]) => name },
                ...columns.map(([name], at) => ({
                  title: describeValue(read, name, null),
                  isNumeric: true,
                  render: ([, values]: (typeof rows)[number]) => values[at]!,
                })),
              ]}
            />
            {approximate && <small className={styles['note']}>{texts.viewer.approximate}</small>}
            <div className={styles['row']}>
              <CopyCall operation="cog.statistics" input={input} />
            </div>
          </>
        )
      }}
    </QueryView>
  )
}
