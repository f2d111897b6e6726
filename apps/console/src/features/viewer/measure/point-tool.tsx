import type { OutputOf } from '@swath/client/operations.ts'
import { useOperation } from '../../../api/use-operation.ts'
import { DrawPath } from '../../../map/draw-path.tsx'
import { viewerTexts } from '../../../texts/viewer.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyCall } from '../../../ui/copy-call.tsx'
import { DataTable } from '../../../ui/data-table.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Section } from '../../../ui/screen.tsx'
import { formatValue } from '../picture/histogram.ts'
import { describeBands } from '../picture/picture.ts'
import type { TabProps } from '../tab-props.ts'
import { formatPosition } from './format-measure.ts'
import { TimeSeries } from './time-series.tsx'
import typography from '../../../ui/typography.module.css'

/** The pixel at a point: the value that is shown, every band, and the same place over time. */
export function PointTool(props: TabProps) {
  const { viewer, read } = props
  const { point } = viewer.state
  return (
    <>
      <DrawPath
        id="point"
        kind="point"
        path={point ? [point] : []}
        isDrawing
        onChange={([position]) => viewer.change({ point: position ?? null })}
        onFinish={() => viewer.change({ point: null })}
      />
      {!point && (
        <Section title={viewerTexts.position}>
          <p className={typography['note']}>{viewerTexts.pointHelp}</p>
        </Section>
      )}
      {point && read.picture && (
        <>
          <PixelValues {...props} />
          <TimeSeries {...props} point={point} />
        </>
      )}
    </>
  )
}

function PixelValues({ viewer, item, read }: TabProps) {
  const { picture } = read
  const [lon, lat] = viewer.state.point!
  const place = { item_id: item.id, lon, lat }
  const source = picture!.query.asset_key ? { asset_key: picture!.query.asset_key } : {}
  const shown = useOperation('items.tile.point', { ...place, ...picture!.query }, { enabled: picture!.isSingle })
  const bands = useOperation('items.tile.point', { ...place, ...source })
  const scaled = useOperation('items.tile.point', { ...place, ...source, scaled: true }).data?.values ?? []
  const value = shown.data?.values[0]?.value
  return (
    <Section
      title={viewerTexts.values}
      actions={
        <>
          <CopyCall operation="items.tile.point" input={{ ...place, ...picture!.query }} />
          <Button kind="quiet" onClick={() => viewer.change({ point: null })}>
            {viewerTexts.clear}
          </Button>
        </>
      }
    >
      <Facts
        facts={[
          [viewerTexts.position, <span className="figures">{formatPosition([lon, lat])}</span>],
          [picture!.label, picture!.isSingle && shown.data ? <b className="figures">{value === null || value === undefined ? viewerTexts.noData : formatValue(value)}</b> : null], // prettier-ignore
        ]}
      />
      <QueryView query={bands} rows={2}>
        {({ values }) => (
          // The values of the file, as under the cursor, in the legend and in statistics; those in their unit are beside them.
          <DataTable
            label={viewerTexts.allBands}
            rows={values}
            getKey={({ name }) => name}
            columns={[
              { title: viewerTexts.band, render: ({ name, band_name }) => describeBands(picture!.asset, band_name ?? name)[0]! }, // prettier-ignore
              { title: viewerTexts.value, isNumeric: true, render: ({ value: stored }) => stored === null ? viewerTexts.noData : formatValue(stored) }, // prettier-ignore
              ...(hasScale(values, scaled) ? [{ title: viewerTexts.scaledValue, isNumeric: true, render: ({ name }: PixelValue) => describeScaled(scaled.find((one) => one.name === name)) }] : []), // prettier-ignore
            ]}
          />
        )}
      </QueryView>
    </Section>
  )
}

type PixelValue = OutputOf<'items.tile.point'>['values'][number]

/** Some band has a scale or an offset, or a unit. */
const hasScale = (stored: readonly PixelValue[], scaled: readonly PixelValue[]): boolean =>
  scaled.some(({ value, unit }, at) => unit !== null || value !== stored[at]?.value)

const describeScaled = (scaled: PixelValue | undefined): string =>
  scaled === undefined || scaled.value === null
    ? ''
    : [formatValue(scaled.value), scaled.unit].filter(Boolean).join(' ')
