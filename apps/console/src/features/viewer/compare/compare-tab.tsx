import { ArrowLeftRight, Film, Pause, Play, StepBack, StepForward } from 'lucide-react'
import { viewerTexts } from '../../../texts/viewer.ts'
import { Button } from '../../../ui/button.tsx'
import { RangeField, SelectField } from '../../../ui/field.tsx'
import { formatDate } from '../../../ui/format.ts'
import { ProblemNote } from '../../../ui/problem-note.tsx'
import { Section } from '../../../ui/screen.tsx'
import { Segments } from '../../../ui/segments.tsx'
import { emptyStyle, pictureOnly } from '../state/style.ts'
import { compareModes, isPairMode } from '../state/viewer-state.ts'
import type { TabProps } from '../tab-props.ts'
import styles from '../viewer.module.css'
import layout from '../../../ui/layout.module.css'
import typography from '../../../ui/typography.module.css'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useMap } from '../../../map/map-context.tsx'
import { recordMap } from '../../../map/record-map.ts'
import { saveFile } from '../../../ui/save-file.ts'
import type { ViewItem } from '../state/view-item.ts'
import { frameLabel } from './time-lapse.ts'
import type { Turns } from './use-turns.ts'

const words = viewerTexts.lapse

/** Plays the frames, steps through them, and saves them as a video. */
function LapseControls({ frames, turns }: { frames: readonly ViewItem[]; turns: Turns }) {
  const map = useMap()
  const recording = useRef<AbortController | null>(null)
  useEffect(() => () => recording.current?.abort(), [])
  const record = useMutation({
    mutationFn: async () => {
      recording.current = new AbortController()
      turns.play(false)
      const pictures = frames.map((item, at) => ({ label: frameLabel(item), show: () => turns.show(at) }))
      const { video, extension } = await recordMap(map!, pictures, recording.current.signal)
      saveFile(video, `time-lapse.${extension}`)
    },
  })
  if (frames.length < 2) return <p className={typography['note']}>{words.few}</p>
  const current = frames[turns.index]!
  return (
    <>
      <RangeField
        label={words.frame}
        shown={`${frameLabel(current)} · ${turns.index + 1}/${frames.length}`}
        value={turns.index}
        min={0}
        max={frames.length - 1}
        step={1}
        onChange={turns.show}
      />
      <div className={`${layout['spread']} ${styles['row']}`}>
        <Button icon={turns.isPlaying ? Pause : Play} onClick={() => turns.play(!turns.isPlaying)}>
          {turns.isPlaying ? viewerTexts.blinkPause : words.play}
        </Button>
        <Button icon={StepBack} disabled={turns.isPlaying} onClick={() => turns.step(-1)}>
          {words.back}
        </Button>
        <Button icon={StepForward} disabled={turns.isPlaying} onClick={() => turns.step()}>
          {viewerTexts.lapse.forward}
        </Button>
        <Button icon={Film} isPending={record.isPending} onClick={() => record.mutate()}>
          {words.save}
        </Button>
      </div>
      {record.isPending && <p role="status">{words.recording(frames.length)}</p>}
      {record.isError && <p role="alert">{words.failed}</p>}
    </>
  )
}

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
    <Section title={viewerTexts.compare}>
      <Segments
        label={viewerTexts.compare}
        choices={compareModes.map((value) => ({ value, label: viewerTexts.compareModes[value] }))}
        value={state.compare}
        onChange={begin}
      />
      {state.compare === 'off' && <p className={typography['note']}>{viewerTexts.compareHelp}</p>}
      {state.compare === 'lapse' && <LapseControls frames={props.frames} turns={props.turns} />}
      {isOn && (
        <>
          <SelectField
            label={state.compare === 'blink' ? viewerTexts.otherItemBlink : viewerTexts.otherItem}
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
              {viewerTexts.swap}
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
      label={viewerTexts.otherPicture}
      value={current}
      choices={[
        { value: '', label: viewerTexts.samePicture },
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
        {turns.isPlaying ? viewerTexts.blinkPause : viewerTexts.blinkPlay}
      </Button>
      <Button icon={StepForward} disabled={turns.isPlaying} onClick={() => turns.step()}>
        {viewerTexts.blinkStep}
      </Button>
      <small className={typography['note']}>
        {shown && viewerTexts.blinkShown(`${shown.item.name}, ${shown.label}`)}
      </small>
    </>
  )
}
