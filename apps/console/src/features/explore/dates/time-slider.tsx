import { useRef, useState, type PointerEvent } from 'react'
import { exploreTexts } from '../../../texts/explore.ts'
import { formatMonth } from '../../../ui/format.ts'
import { findSpan, spanDates, type TimeBucket } from './months.ts'
import styles from './time-slider.module.css'
import layout from '../../../ui/layout.module.css'

export interface TimeSliderProps {
  readonly buckets: readonly TimeBucket[]
  /** ISO dates; null is open. */
  readonly from: string | null
  readonly to: string | null
  readonly onChange: (from: string | null, to: string | null) => void
}

/** The number of scenes in each month, with a thumb for the first and one for the last; bars can be clicked and dragged over. */
export function TimeSlider({ buckets, from, to, onChange }: TimeSliderProps) {
  const [dragged, setDragged] = useState<readonly [number, number] | null>(null)
  const bars = useRef<HTMLDivElement>(null)
  if (buckets.length < 2) return null
  const most = Math.max(1, ...buckets.map(({ count }) => count))
  const [low, high] = dragged ?? findSpan(buckets, from, to)
  const last = buckets.length - 1
  const indexAt = ({ clientX }: PointerEvent): number => {
    const { left, width } = bars.current!.getBoundingClientRect()
    return Math.max(0, Math.min(last, Math.floor(((clientX - left) / width) * buckets.length)))
  }
  const choose = (first: number, second: number): void => onChange(...spanDates(buckets, first, second))
  const press = (event: PointerEvent<HTMLDivElement>): void => {
    event.currentTarget.setPointerCapture(event.pointerId)
    setDragged([indexAt(event), indexAt(event)])
  }
  const move = (event: PointerEvent): void => {
    if (dragged) setDragged([dragged[0], indexAt(event)])
  }
  const release = (): void => {
    if (dragged) choose(...dragged)
    setDragged(null)
  }
  const [first, second] = [Math.min(low, high), Math.max(low, high)]
  // Each thumb has its part of the track, so that they never cover each other; the border follows them.
  const border = Math.ceil((first + second) / 2)
  const columns = `calc(var(--thumb) + (100% - 2 * var(--thumb)) * ${border / buckets.length}) minmax(0, 1fr)`
  return (
    <div className={styles['slider']}>
      <div
        ref={bars}
        className={styles['bars']}
        role="img"
        aria-label={exploreTexts.histogram}
        onPointerDown={press}
        onPointerMove={move}
        onPointerUp={release}
        onPointerCancel={() => setDragged(null)}
      >
        {buckets.map((bucket, at) => (
          <span
            key={bucket.from}
            data-chosen={at >= first && at <= second}
            title={exploreTexts.month(formatMonths(bucket), bucket.count)}
          >
            <i style={{ height: `${(100 * bucket.count) / most}%` }} />
          </span>
        ))}
      </div>
      <div className={`${layout['grid']} ${styles['thumbs']}`} style={{ gridTemplateColumns: columns }}>
        <Thumb
          label={exploreTexts.earliest}
          value={first}
          min={0}
          max={border}
          shown={buckets[first]!.from}
          onChange={(at) => choose(Math.min(at, second), second)}
        />
        <Thumb
          label={exploreTexts.latest}
          value={second}
          min={border - 1}
          max={last}
          shown={buckets[second]!.to}
          onChange={(at) => choose(first, Math.max(at, first))}
        />
      </div>
      <div className={styles['ends']}>
        <small>{formatMonths({ ...buckets[first]!, to: buckets[first]!.from })}</small>
        <small>{formatMonths({ ...buckets[second]!, from: buckets[second]!.to })}</small>
      </div>
    </div>
  )
}

interface ThumbProps {
  readonly label: string
  readonly value: number
  readonly min: number
  readonly max: number
  readonly shown: string
  readonly onChange: (value: number) => void
}

const Thumb = ({ label, value, min, max, shown, onChange }: ThumbProps) => (
  <input
    type="range"
    aria-label={label}
    aria-valuetext={shown}
    min={min}
    max={max}
    step={1}
    value={value}
    onChange={({ target }) => onChange(Number(target.value))}
  />
)

/** `Mar 2026`, or `Jan 2024 – Dec 2024`. */
const formatMonths = ({ from, to }: Pick<TimeBucket, 'from' | 'to'>): string =>
  from.slice(0, 7) === to.slice(0, 7) ? formatMonth(from) : `${formatMonth(from)} – ${formatMonth(to)}`
