import { texts } from '../../../texts.ts'
import { RangeField, SelectField } from '../../../ui/field.tsx'
import { Section } from '../../../ui/screen.tsx'
import { mayBeElevation } from '../state/view-item.ts'
import type { TabProps } from '../tab-props.ts'
import typography from '../../../ui/typography.module.css'

/** Shapes the map by an item with heights. */
export function TerrainSection({ viewer, items }: TabProps) {
  const { state, change, adjust } = viewer
  const models = items.filter(mayBeElevation)
  return (
    <Section title={texts.viewer.terrain}>
      {models.length === 0 ? (
        <small className={typography['note']}>{texts.viewer.terrainHelp}</small>
      ) : (
        <SelectField
          label={texts.viewer.terrainFrom}
          value={state.terrain ?? ''}
          choices={[
            { value: '', label: texts.viewer.flat },
            ...models.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onChange={(id) => change({ terrain: id || null })}
        />
      )}
      {state.terrain && (
        <>
          <RangeField
            label={texts.viewer.exaggeration}
            shown={texts.viewer.times(state.exaggeration)}
            value={state.exaggeration}
            min={0.5}
            max={10}
            step={0.5}
            onChange={(exaggeration) => adjust({ exaggeration })}
          />
          <small className={typography['note']}>
            {state.compare === 'swipe' ? texts.viewer.terrainNotInSwipe : texts.viewer.terrainDrag}
          </small>
        </>
      )}
    </Section>
  )
}
