import { day_ms } from '@swath/geo/time-units.ts'
import { useOperation } from '../../api/use-operation.ts'
import { texts } from '../../texts.ts'
import { LineChart } from '../../ui/chart/line-chart.tsx'
import { formatCount, formatDate, formatTime } from '../../ui/format.ts'
import { Section } from '../../ui/screen.tsx'
import { balanceSteps } from './balance-steps.ts'

const entries = 100

/** The balance after each of the last entries, as steps over time. */
export function BalanceCurve() {
  const transactions = useOperation('billing.credits.transactions', { limit: entries })
  const steps = balanceSteps(transactions.data?.transactions ?? [])
  const [first, last] = [steps.x[0], steps.x.at(-1)]
  if (first === undefined || last === undefined || steps.x.length < 2) return null
  const isLong = last - first > 2 * day_ms
  const format = (at: number): string => (isLong ? formatDate : formatTime)(new Date(at).toISOString())
  return (
    <Section title={texts.money.curve}>
      <LineChart
        label={texts.money.curveLabel(format(first), format(last))}
        x={steps.x}
        series={[{ name: texts.money.entries.balance, colour: 'var(--accent)', values: steps.credits }]}
        formatX={format}
        formatY={formatCount}
      />
    </Section>
  )
}
