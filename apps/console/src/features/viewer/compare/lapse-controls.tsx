import { useMutation } from '@tanstack/react-query'
import { Film, Pause, Play, StepBack, StepForward } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useMap } from '../../../map/map-context.tsx'
import { recordMap } from '../../../map/record-map.ts'
import { texts } from '../../../texts.ts'
import { Button } from '../../../ui/button.tsx'
import { RangeField } from '../../../ui/field.tsx'
import { saveFile } from '../../../ui/save-file.ts'
import type { ViewItem } from '../state/view-item.ts'
import styles from '../viewer.module.css'
import { frameLabel } from './time-lapse.ts'
import type { Turns } from './use-turns.ts'
import layout from '../../../ui/layout.module.css'
import typography from '../../../ui/typography.module.css'

const words = texts.viewer.lapse

/** Plays the frames, steps through them, and saves them as a video. */
export function LapseControls({ frames, turns }: { frames: readonly ViewItem[]; turns: Turns }) {
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
          {turns.isPlaying ? texts.viewer.blinkPause : words.play}
        </Button>
        <Button icon={StepBack} disabled={turns.isPlaying} onClick={() => turns.step(-1)}>
          {words.back}
        </Button>
        <Button icon={StepForward} disabled={turns.isPlaying} onClick={() => turns.step()}>
          {texts.viewer.blinkStep}
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
