import type { InputOf } from '@swath/client/operations.ts'
import { AreaSeries } from '../../../analytics/area-series.tsx'
import type { AreaSeriesResult } from '../../../analytics/method-results.ts'
import { useOperation } from '../../../api/use-operation.ts'
import { texts } from '../../../texts.ts'
import { CopyCall } from '../../../ui/copy-call.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Section } from '../../../ui/screen.tsx'
import type { TabProps } from '../tab-props.ts'
import { AddCovering } from './add-covering.tsx'
import type { DrawnArea } from './drawn-area.ts'
import { toMeasuredInput } from './measured.ts'
import typography from '../../../ui/typography.module.css'

/** The value that is shown, in the area, over the items of the viewer. */
export function AreaOverTime({ viewer, items, read, geometry }: TabProps & { geometry: DrawnArea }) {
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
      title={texts.viewer.series}
      actions={isMeasured && <CopyCall operation="analytics.execute" input={input} />}
    >
      {!picture.isSingle && <p className={typography['note']}>{texts.viewer.seriesOfOne}</p>}
      {picture.isSingle && dated.length < 2 && <p className={typography['note']}>{texts.viewer.areaSeriesHelp}</p>}
      {isMeasured && (
        <QueryView query={series} rows={3}>
          {({ result }) => <AreaSeries result={result as unknown as AreaSeriesResult} name={picture.label} />}
        </QueryView>
      )}
      <AddCovering viewer={viewer} path={viewer.state.area} />
    </Section>
  )
}
