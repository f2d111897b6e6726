import { texts } from '../../texts.ts'
import styles from './explore.module.css'
import { monthDays, shortMonth, type MonthCount } from './months.ts'

/** Pixels. */
const bar_px = 28

/** How many scenes there are a month; choosing a month narrows the dates to it. */
export function MonthHistogram({
  months,
  onChoose,
}: {
  months: readonly MonthCount[]
  onChoose: (from: string, to: string) => void
}) {
  const most = Math.max(1, ...months.map(({ count }) => count))
  if (months.length < 2) return null
  return (
    <div className={styles['histogram']} role="group" aria-label={texts.explore.histogram}>
      {months.map(({ month, count }) => (
        <button
          key={month}
          type="button"
          title={texts.explore.month(shortMonth(month), count)}
          aria-label={texts.explore.month(shortMonth(month), count)}
          onClick={() => onChoose(...monthDays(month))}
        >
          <span style={{ height: `${(bar_px * count) / most}px` }} />
          <small>{shortMonth(month)}</small>
        </button>
      ))}
    </div>
  )
}
