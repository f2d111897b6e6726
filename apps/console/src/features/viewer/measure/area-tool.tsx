import { Link } from '@tanstack/react-router'
import { geometryArea_km2 } from '@swath/geo/area.ts'
import { useMemo, useState } from 'react'
import type { InputOf } from '@swath/client/operations.ts'
import type { AreaSeriesResult, ZonalResult } from '../../../analytics/method-results.ts'
import { ZoneTable } from '../../../analytics/zone-table.tsx'
import { useOperation } from '../../../api/use-operation.ts'
import { areaToUrl } from '../../../area/area-url.ts'
import { keepView } from '../../../map/keep-view.ts'
import { viewerTexts } from '../../../texts/viewer.ts'
import { CopyCall } from '../../../ui/copy-call.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { CheckboxField } from '../../../ui/field.tsx'
import { Area } from '../../../ui/figures.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Section } from '../../../ui/screen.tsx'
import type { TabProps } from '../tab-props.ts'
import styles from '../viewer.module.css'
import { AreaChange } from './area-change.tsx'
import { DrawControls } from './draw-controls.tsx'
import { type DrawnArea, toDrawnArea } from './drawn-area.ts'
import { describeValue, toMeasuredInput } from './measured.ts'
import layout from '../../../ui/layout.module.css'
import { AreaSeries } from '../../../analytics/area-series.tsx'
import { AddCovering } from './add-covering.tsx'
import typography from '../../../ui/typography.module.css'

/** The value that is shown, in the area, over the items of the viewer. */
function AreaOverTime({ viewer, items, read, geometry }: TabProps & { geometry: DrawnArea }) {
  const picture = read.picture!
  const dated = items.filter(({ datetime }) => datetime !== null)
  const input: InputOf<'analytics.execute'> = {
    operation: 'time_series',
    params: { item_ids: dated.map(({ id }) => id), geometry, ...toMeasuredInput(read) },
  }
  // Three bands are a picture, not a value.
  const isMeasured = picture.isSingle && dated.length > 1
  const series = useOperation('analytics.execute', input, { enabled: isMeasured })
  return (
    <Section
      title={viewerTexts.series}
      actions={isMeasured && <CopyCall operation="analytics.execute" input={input} />}
    >
      {!picture.isSingle && <p className={typography['note']}>{viewerTexts.seriesOfOne}</p>}
      {picture.isSingle && dated.length < 2 && <p className={typography['note']}>{viewerTexts.areaSeriesHelp}</p>}
      {isMeasured && (
        <QueryView query={series} rows={3}>
          {({ result }) => <AreaSeries result={result as unknown as AreaSeriesResult} name={picture.label} />}
        </QueryView>
      )}
      <AddCovering viewer={viewer} path={viewer.state.area} />
    </Section>
  )
}

/** Numbers of a drawn area: statistics of the picture, its course over the items, and what changed from one to another. */
export function AreaTool(props: TabProps) {
  const { area } = props.viewer.state
  const [isDrawing, setDrawing] = useState(area.length === 0)
  const key = JSON.stringify(area)
  // The URL is read anew with each step; the area is another one only if its corners are.
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  const geometry = useMemo(() => toDrawnArea(area), [key])
  const isMeasured = geometry !== null && !isDrawing && props.read.picture && props.read.histograms.length > 0
  return (
    <>
      <DrawControls
        kind="area"
        path={area}
        isDrawing={isDrawing}
        onDrawing={setDrawing}
        onChange={(next) => props.viewer.adjust({ area: next })}
      >
        {geometry && (
          <>
            <Facts facts={[[viewerTexts.surface, <Area key="surface" km2={geometryArea_km2(geometry)} />]]} />
            <Link to="/analyse" search={analyseSearch(props.viewer.state.items, geometry) as never}>
              {viewerTexts.analyseArea}
            </Link>
          </>
        )}
      </DrawControls>
      {isMeasured && (
        <>
          <ZonalStatistics {...props} geometry={geometry} />
          <AreaOverTime {...props} geometry={geometry} />
          <AreaChange {...props} geometry={geometry} />
        </>
      )}
    </>
  )
}

/** The query parameters of the process screen, with the items and the area of the viewer. */
const analyseSearch =
  (items: readonly string[], geometry: DrawnArea) =>
  (previous: { readonly v?: string }): Record<string, string | undefined> => ({
    ...keepView(previous),
    items: items.join(','),
    area: areaToUrl(geometry) ?? undefined,
  })

function ZonalStatistics({ item, read, geometry }: TabProps & { geometry: DrawnArea }) {
  const [weighted, setWeighted] = useState(true)
  const input: InputOf<'analytics.execute'> = {
    operation: 'zonal_stats',
    params: { item_id: item.id, asset_key: read.picture!.asset.key, geometry, weighted, ...toMeasuredInput(read) },
  }
  const statistics = useOperation('analytics.execute', input)
  return (
    <Section title={viewerTexts.statistics} actions={<CopyCall operation="analytics.execute" input={input} />}>
      <QueryView query={statistics} rows={5} height_px={24}>
        {({ result }) => (
          <ZoneTable
            result={result as unknown as ZonalResult}
            nameOf={({ name, band_name }) => describeValue(read, name, band_name ?? null)}
          />
        )}
      </QueryView>
      <div className={`${layout['spread']} ${styles['row']}`}>
        <CheckboxField label={viewerTexts.weighted} checked={weighted} onChange={setWeighted} />
      </div>
    </Section>
  )
}
