import { texts } from '../../../texts.ts'
import { Section } from '../../../ui/screen.tsx'
import { Segments } from '../../../ui/segments.tsx'
import { measureTools, type MeasureTool } from '../state/viewer-state.ts'
import type { TabProps } from '../tab-props.ts'
import { AreaTool } from './area-tool.tsx'
import { LineTool } from './line-tool.tsx'
import { PointTool } from './point-tool.tsx'

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
      <Section title={texts.viewer.tool}>
        <Segments
          label={texts.viewer.tool}
          choices={measureTools.map((value) => ({ value, label: texts.viewer.tools[value] }))}
          value={state.tool}
          onChange={(tool) => change({ tool })}
        />
      </Section>
      <Tool {...props} />
    </>
  )
}
