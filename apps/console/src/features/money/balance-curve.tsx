import { useOperation } from '../../api/use-operation.ts'
import { texts } from '../../texts.ts'
import { formatCount, formatDate } from '../../ui/format.ts'
import { Section } from '../../ui/screen.tsx'
import styles from './money.module.css'

const entries = 100
const [width, height] = [360, 80]

/** The balance after each of the last entries, as steps over time. */
export function BalanceCurve() {
  const transactions = useOperation('billing.credits.transactions', { limit: entries })
  const points = (transactions.data?.transactions ?? [])
    .map(({ created_at, balance_after_credits }) => ({ at: Date.parse(created_at), credits: balance_after_credits }))
    .toReversed()
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last || points.length < 2) return null
  const most = Math.max(1, ...points.map(({ credits }) => credits))
  const x = (index: number): number => (width * index) / (points.length - 1)
  const y = (credits: number): number => height - (height * credits) / most
  const path = points
    .map(({ credits }, index) => (index === 0 ? `M0,${y(credits)}` : `H${x(index)}V${y(credits)}`))
    .join('')
  const range = texts.money.curveLabel(
    formatDate(new Date(first.at).toISOString()),
    formatDate(new Date(last.at).toISOString()),
  )
  return (
    <Section title={texts.money.curve}>
      <svg
        className={styles['curve']}
        viewBox={`0 -4 ${width} ${height + 8}`}
        role="img"
        aria-label={`${range}: ${formatCount(first.credits)}, ${formatCount(last.credits)}`}
      >
        <path d={path} />
      </svg>
      <small>{range}</small>
    </Section>
  )
}
