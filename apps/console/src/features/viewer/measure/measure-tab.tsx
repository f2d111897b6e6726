import { viewerTexts } from '../../../texts/viewer.ts'
import { Section } from '../../../ui/screen.tsx'
import { Segments } from '../../../ui/segments.tsx'
import { type MeasureTool, measureTools } from '../state/viewer-state.ts'
import type { TabProps } from '../tab-props.ts'
import { AreaTool } from './area-tool.tsx'
import { PointTool } from './point-tool.tsx'
import { useState } from 'react'
import { useOperation } from '../../../api/use-operation.ts'
import { DrawPath } from '../../../map/draw-path.tsx'
import { CopyCall } from '../../../ui/copy-call.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { LineChart } from '../../../ui/chart/line-chart.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { formatValue } from '../picture/histogram.ts'
import styles from '../viewer.module.css'
import { DrawControls } from './draw-controls.tsx'
import { formatLength } from './format-measure.ts'
import { curveColour, describeValue } from './measured.ts'
import layout from '../../../ui/layout.module.css'

const samples = 160

/** The values of the picture along a drawn line. */
function LineTool(props: TabProps) {
  const { line } = props.viewer.state
  const [isDrawing, setDrawing] = useState(line.length === 0)
  return (
    <DrawControls
      kind="line"
      path={line}
      isDrawing={isDrawing}
      onDrawing={setDrawing}
      onChange={(next) => props.viewer.adjust({ line: next })}
    >
      {line.length > 1 && props.read.picture && <LineProfile {...props} />}
    </DrawControls>
  )
}

function LineProfile({ viewer, item, read }: TabProps) {
  const { line } = viewer.state
  const input = {
    item_id: item.id,
    coordinates: line.map((position) => [...position]),
    samples,
    ...read.picture!.query,
  }
  const profile = useOperation('items.tile.line', input)
  const [pointed, setPointed] = useState<number | null>(null)
  const at = pointed === null ? undefined : profile.data?.positions[pointed]
  return (
    <QueryView query={profile} rows={3}>
      {({ length_m, positions, values }) => (
        <>
          <Facts facts={[[viewerTexts.length, <span className="figures">{formatLength(length_m)}</span>]]} />
          <LineChart
            label={viewerTexts.profile}
            x={positions.map(({ distance_m }) => distance_m)}
            series={values.map(({ name, band_name, values: curve }, index) => ({
              name: describeValue(read, name, band_name),
              colour: curveColour(index, values.length),
              values: curve,
            }))}
            formatX={formatLength}
            formatY={formatValue}
            onPoint={setPointed}
          />
          <DrawPath
            id="profile-position"
            kind="point"
            path={at ? [[at.lon, at.lat]] : []}
            isDrawing={false}
            onChange={() => undefined}
            onFinish={() => undefined}
          />
          <div className={`${layout['spread']} ${styles['row']}`}>
            <CopyCall operation="items.tile.line" input={input} />
          </div>
        </>
      )}
    </QueryView>
  )
}

const tools: Readonly<Record<MeasureTool, (props: TabProps) => React.ReactNode>> = {
  point: PointTool,
  line: LineTool,
  area: AreaTool,
}

/** Numbers out of the picture: at a point and over time, along a line, within an area. */
export function MeasureTab(props: TabProps) {
  const { state, change } = props.viewer
  const Tool = tools[state.tool]
  return (
    <>
      <Section title={viewerTexts.tool}>
        <Segments
          label={viewerTexts.tool}
          choices={measureTools.map((value) => ({ value, label: viewerTexts.tools[value] }))}
          value={state.tool}
          onChange={(tool) => change({ tool })}
        />
      </Section>
      <Tool {...props} />
    </>
  )
}
