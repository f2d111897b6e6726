import { CircleCheck, Handshake, Hourglass, TriangleAlert, type LucideIcon } from 'lucide-react'
import type { Commitment } from '@swath/client/operations.ts'
import { useOperation } from '../../api/use-operation.ts'
import { moneyTexts } from '../../texts/money.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { LineChart } from '../../ui/chart/line-chart.tsx'
import { CopyCall } from '../../ui/copy-call.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Time } from '../../ui/figures.tsx'
import { formatAud, formatCount, formatDate } from '../../ui/format.ts'
import { QueryView } from '../../ui/query-view.tsx'
import { Section } from '../../ui/screen.tsx'
import { burnDown } from './burn-down.ts'
import { MoneyScreen } from './money-screen.tsx'

const words = moneyTexts.commitment
const input = { include_line_items: true }

const looks: Readonly<Record<Commitment['status'], readonly [LucideIcon, Tone]>> = {
  scheduled: [Hourglass, 'neutral'],
  active: [Hourglass, 'active'],
  on_track: [CircleCheck, 'good'],
  at_risk: [TriangleAlert, 'warning'],
  met: [CircleCheck, 'good'],
  closed_met: [CircleCheck, 'good'],
  closed_shortfall: [TriangleAlert, 'bad'],
  invoiced: [CircleCheck, 'neutral'],
}

/** The commitments of the organization to buy, and how fast it uses them. */
export function Commitments() {
  const commitments = useOperation('organizations.commitments.list', input)
  return (
    <MoneyScreen actions={<CopyCall operation="organizations.commitments.list" input={input} />}>
      <QueryView query={commitments} rows={4}>
        {({ commitments: known }) =>
          known.length === 0 ? (
            <EmptyState icon={Handshake} title={words.none}>
              <p>{words.noneHelp}</p>
            </EmptyState>
          ) : (
            known.map((commitment) => <CommitmentView key={commitment.id} commitment={commitment} />)
          )
        }
      </QueryView>
    </MoneyScreen>
  )
}

function CommitmentView({ commitment }: { commitment: Commitment }) {
  const { name, status, period_start, period_end, committed_aud, carried_in_aud, line_items = [] } = commitment
  const { x, remaining_aud, even_aud } = burnDown(commitment, Date.now())
  const [icon, tone] = looks[status]
  const formatDay = (at: number): string => formatDate(new Date(at).toISOString())
  return (
    <Section
      title={name}
      actions={
        <Badge icon={icon} tone={tone}>
          {words.states[status]}
        </Badge>
      }
    >
      <LineChart
        label={words.chart(name, formatAud(commitment.remaining_aud), formatDate(period_end))}
        x={x}
        series={[
          { name: words.remaining, colour: 'var(--accent)', values: remaining_aud },
          { name: words.even, colour: 'var(--text-muted)', values: even_aud },
        ]}
        formatX={formatDay}
        formatY={(aud) => `A$${formatCount(aud)}`}
      />
      <Facts
        facts={[
          [words.period, `${formatDate(period_start)} – ${formatDate(period_end)}`],
          [words.committed, formatAud(committed_aud)],
          [words.carried, carried_in_aud > 0 && formatAud(carried_in_aud)],
          [words.delivered, formatAud(commitment.delivered_aud)],
          [words.remaining, formatAud(commitment.remaining_aud)],
          [words.overage, commitment.overage_aud > 0 && formatAud(commitment.overage_aud)],
          [words.shortfall, commitment.shortfall_aud > 0 && formatAud(commitment.shortfall_aud)],
        ]}
      />
      {line_items.length > 0 && (
        <details>
          <summary>{words.lines(line_items.length)}</summary>
          <DataTable
            label={words.lines(line_items.length)}
            rows={line_items}
            getKey={({ at, product, order_id, quantity }) => `${at}${product}${order_id}${quantity}`}
            columns={[
              { title: moneyTexts.entries.time, render: ({ at }) => <Time at={at} /> },
              { title: words.product, render: ({ product }) => product },
              { title: words.quantity, isNumeric: true, render: ({ quantity, unit }) => `${quantity} ${unit}` },
              { title: words.amount, isNumeric: true, render: ({ amount_aud }) => formatAud(amount_aud) },
            ]}
          />
        </details>
      )}
    </Section>
  )
}
