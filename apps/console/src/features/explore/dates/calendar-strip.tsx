import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useState, type KeyboardEvent } from 'react'
import { exploreTexts } from '../../../texts/explore.ts'
import { Button } from '../../../ui/button.tsx'
import { formatDate, formatMonth } from '../../../ui/format.ts'
import styles from './calendar-strip.module.css'
import type { SceneDay } from '../group-scenes.ts'
import layout from '../../../ui/layout.module.css'
import typography from '../../../ui/typography.module.css'

export interface CalendarStripProps {
  readonly days: readonly SceneDay[]
  /** ISO dates; null is open. */
  readonly from: string | null
  readonly to: string | null
  readonly onChange: (from: string | null, to: string | null) => void
}

const words = exploreTexts.calendar
const monthOf = (date: string): string => date.slice(0, 7)

/** The arrow keys move between the days; the Tab key goes to one of them. */
function moveFocus(event: KeyboardEvent): void {
  const { key, target } = event
  const sibling = { ArrowLeft: 'previousElementSibling', ArrowRight: 'nextElementSibling' }[key]
  if (!sibling) return
  event.preventDefault()
  const next = (target as HTMLElement)[sibling as 'nextElementSibling']
  if (next instanceof HTMLElement) next.focus()
}

/** The days of a month that have scenes; one that is pressed is the only one that is shown, until it is pressed again. */
export function CalendarStrip({ days, from, to, onChange }: CalendarStripProps) {
  const [browsed, setBrowsed] = useState<string | null>(null)
  const months = [...new Set(days.map(({ date }) => monthOf(date)))]
  const wanted = [browsed, from && monthOf(from)].map((month) => (month === null ? -1 : months.indexOf(month)))
  const at = wanted.find((index) => index >= 0) ?? months.length - 1
  const month = months[at]
  if (month === undefined) return null
  const shown = days.filter(({ date }) => monthOf(date) === month)
  const isChosen = (date: string): boolean => from === date && to === date
  const stop = shown.find(({ date }) => isChosen(date)) ?? shown[0]
  const step = (by: number): void => setBrowsed(months[at + by]!)
  return (
    <div className={styles['strip']} role="group" aria-label={words.label}>
      <div className={layout['spread']}>
        <Button
          kind="quiet"
          icon={ChevronLeft}
          aria-label={words.earlier}
          title={words.earlier}
          disabled={at === 0}
          onClick={() => step(-1)}
        />
        <b className={typography['medium']}>{formatMonth(`${month}-01`)}</b>
        <Button
          kind="quiet"
          icon={ChevronRight}
          aria-label={words.later}
          title={words.later}
          disabled={at === months.length - 1}
          onClick={() => step(1)}
        />
      </div>
      <div className={styles['days']} onKeyDown={moveFocus}>
        {shown.map((day) => (
          <button
            key={day.date}
            type="button"
            className={`${layout['center']} figures`}
            data-count={day.count}
            tabIndex={day === stop ? 0 : -1}
            aria-pressed={isChosen(day.date)}
            aria-label={words.day(formatDate(day.date), day.count)}
            title={words.day(formatDate(day.date), day.count)}
            onClick={() => {
              setBrowsed(month)
              if (isChosen(day.date)) onChange(null, null)
              else onChange(day.date, day.date)
            }}
          >
            {Number(day.date.slice(8))}
          </button>
        ))}
      </div>
    </div>
  )
}
