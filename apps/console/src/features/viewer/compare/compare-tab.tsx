import { ArrowLeftRight, Pause, Play, StepForward } from 'lucide-react'
import { texts } from '../../../texts.ts'
import { Button } from '../../../ui/button.tsx'
import { SelectField } from '../../../ui/field.tsx'
import { formatDate } from '../../../ui/format.ts'
import { ProblemNote } from '../../../ui/problem-note.tsx'
import { Section } from '../../../ui/screen.tsx'
import { Segments } from '../../../ui/segments.tsx'
import { emptyStyle, pictureOnly } from '../state/style.ts'
import { compareModes, isPairMode } from '../state/viewer-state.ts'
import type { TabProps } from '../tab-props.ts'
import styles from '../viewer.module.css'
import { LapseControls } from './lapse-controls.tsx'
import layout from '../../../ui/layout.module.css'
import typography from '../../../ui/typography.module.css'

const own = 'own'

/** Two items, or two pictures of one item, by swiping or by turns; several items one after the other. */
export function CompareTab(props: TabProps) {
  const { viewer, items, item, otherItem, otherRead } = props
  const { state, change } = viewer
  const isOn = isPairMode(state.compare)
  const begin = (compare: (typeof compareModes)[number]): void => {
    const neighbour = items[items.indexOf(item) + 1] ?? items[items.indexOf(item) - 1] ?? item
    change(
      isPairMode(compare) && !isOn
        ? { compare, other: neighbour.id, otherStyle: pictureOnly(state.style) }
        : { compare },
    )
  }
  const swap = (): void =>
    change({ shown: otherItem.id, style: state.otherStyle, other: item.id, otherStyle: state.style })
  return (
    <Section title={texts.viewer.compare}>
      <Segments
        label={texts.viewer.compare}
        choices={compareModes.map((value) => ({ value, label: texts.viewer.compareModes[value] }))}
        value={state.compare}
        onChange={begin}
      />
      {state.compare === 'off' && <p className={typography['note']}>{texts.viewer.compareHelp}</p>}
      {state.compare === 'lapse' && <LapseControls frames={props.frames} turns={props.turns} />}
      {isOn && (
        <>
          <SelectField
            label={state.compare === 'blink' ? texts.viewer.otherItemBlink : texts.viewer.otherItem}
            value={otherItem.id}
            choices={items.map(({ id, name, datetime }) => ({
              value: id,
              label: [datetime && formatDate(datetime), name].filter(Boolean).join(' · '),
            }))}
            onChange={(other) => change({ other })}
          />
          <OtherPicture {...props} />
          <div className={`${layout['spread']} ${styles['row']}`}>
            <Button icon={ArrowLeftRight} onClick={swap}>
              {texts.viewer.swap}
            </Button>
            {state.compare === 'blink' && <BlinkControls {...props} />}
          </div>
          {otherRead.error !== null && <ProblemNote error={otherRead.error} onRetry={otherRead.retry} isRead />}
        </>
      )}
    </Section>
  )
}

function OtherPicture({ viewer, otherRead }: TabProps) {
  const { state, change } = viewer
  const { otherStyle, style } = state
  const isSame = JSON.stringify(otherStyle) === JSON.stringify(pictureOnly(style))
  const presets = [
    ...otherRead.profiles.map(({ id, name }) => ({ value: id, label: name })),
    ...otherRead.presets.map(({ id, label }) => ({ value: id, label })),
  ]
  const isPreset = presets.some(({ value }) => value === otherStyle.preset)
  const current = isSame ? '' : isPreset ? otherStyle.preset! : own
  return (
    <SelectField
      label={texts.viewer.otherPicture}
      value={current}
      choices={[
        { value: '', label: texts.viewer.samePicture },
        ...(current === own ? [{ value: own, label: otherRead.picture?.label ?? own }] : []),
        ...presets,
      ]}
      onChange={(preset) => change({ otherStyle: preset === '' ? pictureOnly(style) : { ...emptyStyle, preset } })}
    />
  )
}

function BlinkControls({ turns, read, otherRead }: TabProps) {
  const shown = (turns.index === 0 ? read : otherRead).picture
  return (
    <>
      <Button icon={turns.isPlaying ? Pause : Play} onClick={() => turns.play(!turns.isPlaying)}>
        {turns.isPlaying ? texts.viewer.blinkPause : texts.viewer.blinkPlay}
      </Button>
      <Button icon={StepForward} disabled={turns.isPlaying} onClick={() => turns.step()}>
        {texts.viewer.blinkStep}
      </Button>
      <small className={typography['note']}>
        {shown && texts.viewer.blinkShown(`${shown.item.name}, ${shown.label}`)}
      </small>
    </>
  )
}
