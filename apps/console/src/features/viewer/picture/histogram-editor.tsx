import { useRef, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { viewerTexts } from '../../../texts/viewer.ts'
import type { ValueRange } from '../state/style.ts'
import { formatValue, histogramPath, visibleRange, type Histogram } from './histogram.ts'
import styles from './histogram-editor.module.css'
import layout from '../../../ui/layout.module.css'
import typography from '../../../ui/typography.module.css'

interface HistogramEditorProps {
  readonly name: string
  /** A CSS colour. */
  readonly colour: string
  readonly histogram: Histogram
  readonly range: ValueRange
  /** Called when a handle is let go, or a number is entered. */
  readonly onChange: (range: ValueRange) => void
}

const [width, height] = [320, 56]
/** One press of an arrow key moves a handle by this part of the visible range. */
const keyboard_part = 0.01

type End = 0 | 1

/** A histogram with a handle at each end of the range; the same as numbers below it. */
export function HistogramEditor(props: HistogramEditorProps) {
  const { name, colour, histogram, onChange } = props
  const { box, shown, visible, toPart, withEnd, drag, press } = useRangeHandles(props)
  const labels = [viewerTexts.low(name), viewerTexts.high(name)] as const
  const number = (end: End) => (
    <RangeNumber
      key={`${end} ${shown[end]}`}
      label={labels[end]}
      value={shown[end]}
      onChange={(value) => onChange(withEnd(end, value))}
    />
  )
  return (
    <div className={layout['stack4']} role="group" aria-label={viewerTexts.rangeOf(name)}>
      <div ref={box} className={styles['plot']}>
        <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden>
          <path d={histogramPath(histogram, visible, width, height)} style={{ fill: colour }} />
          <rect className={styles['outside']} x={0} width={toPart(shown[0]) * width} height={height} />
          <rect
            className={styles['outside']}
            x={toPart(shown[1]) * width}
            width={(1 - toPart(shown[1])) * width}
            height={height}
          />
        </svg>
        {([0, 1] as const).map((end) => (
          <div
            key={end}
            className={styles['handle']}
            style={{ left: `${toPart(shown[end]) * 100}%` }}
            role="slider"
            tabIndex={0}
            aria-label={labels[end]}
            aria-valuemin={visible[0]}
            aria-valuemax={visible[1]}
            aria-valuenow={shown[end]}
            aria-valuetext={formatValue(shown[end])}
            onPointerDown={drag(end)}
            onKeyDown={press(end)}
          />
        ))}
      </div>
      <div className={`${layout['stack8']} ${styles['numbers']}`}>
        {number(0)}
        <span className={typography['clip']}>{name}</span>
        {number(1)}
      </div>
    </div>
  )
}

/** Positions of the handles, and the callbacks that move them. */
function useRangeHandles({ histogram, range, onChange }: HistogramEditorProps) {
  const box = useRef<HTMLDivElement>(null)
  const [draft, setDraft] = useState<ValueRange | null>(null)
  const [frozen, setFrozen] = useState<ValueRange | null>(null)
  const shown = draft ?? range
  // The axis stands still while a handle is dragged.
  const visible = frozen ?? visibleRange(histogram, range)
  const [from, to] = visible
  const toPart = (value: number): number => Math.min(1, Math.max(0, (value - from) / (to - from)))
  const withEnd = (end: End, value: number): ValueRange =>
    end === 0 ? [Math.min(value, shown[1]), shown[1]] : [shown[0], Math.max(value, shown[0])]

  const drag = (end: End) => (event: PointerEvent<HTMLDivElement>) => {
    const handle = event.currentTarget
    const { left, width: width_px } = box.current!.getBoundingClientRect()
    let latest: ValueRange = range
    setFrozen(visible)
    handle.setPointerCapture(event.pointerId)
    const move = ({ clientX }: globalThis.PointerEvent): void => {
      latest = withEnd(end, from + Math.min(1, Math.max(0, (clientX - left) / width_px)) * (to - from))
      setDraft(latest)
    }
    const drop = (): void => {
      handle.removeEventListener('pointermove', move)
      setDraft(null)
      setFrozen(null)
      if (latest !== range) onChange(latest)
    }
    handle.addEventListener('pointermove', move)
    handle.addEventListener('lostpointercapture', drop, { once: true })
  }
  const press = (end: End) => (event: KeyboardEvent) => {
    const direction = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key]
    if (direction === undefined) return
    event.preventDefault()
    onChange(withEnd(end, range[end] + direction * keyboard_part * (to - from)))
  }
  return { box, shown, visible, toPart, withEnd, drag, press }
}

interface RangeNumberProps {
  readonly label: string
  readonly value: number
  readonly onChange: (value: number) => void
}

/** Taken over with Enter or when it is left, so that a half-written number changes nothing. */
function RangeNumber({ label, value, onChange }: RangeNumberProps) {
  const shown = String(Number(value.toPrecision(5)))
  const [text, setText] = useState(shown)
  const take = (): void => {
    const number = Number(text)
    if (text !== shown && text.trim() !== '' && Number.isFinite(number)) onChange(number)
    else setText(shown)
  }
  return (
    <input
      className={`${layout['raised']} ${layout['wide']} ${typography['normal']} figures`}
      inputMode="decimal"
      aria-label={label}
      value={text}
      onChange={({ target }) => setText(target.value)}
      onBlur={take}
      onKeyDown={({ key }) => {
        if (key === 'Enter') take()
      }}
    />
  )
}
