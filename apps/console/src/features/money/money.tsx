import type { OutputOf } from '@swath/client/operations.ts'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { isForbidden } from '../../api/problem.ts'
import { useOperation } from '../../api/use-operation.ts'
import { keepView } from '../../map/keep-view.ts'
import { moneyTexts } from '../../texts/money.ts'
import { uiTexts } from '../../texts/ui.ts'
import { Button } from '../../ui/button.tsx'
import { CopyCall } from '../../ui/copy-call.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Credits, Time } from '../../ui/figures.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { Section } from '../../ui/screen.tsx'
import { OverlayBoundary } from '../../ui/boundaries/overlay-boundary.tsx'
import { MoneyScreen } from './money-screen.tsx'
import styles from './money.module.css'
import { VerifyJournal } from './verify-journal.tsx'
import { TopUp } from '../../payments/top-up.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { day_ms } from '@swath/geo/time-units.ts'
import { LineChart } from '../../ui/chart/line-chart.tsx'
import { formatCount, formatDate, formatTime } from '../../ui/format.ts'
import { balanceSteps } from './balance-steps.ts'

const entries = 100

/** The balance after each of the last entries, as steps over time. */
function BalanceCurve() {
  const transactions = useOperation('billing.credits.transactions', { limit: entries })
  const steps = balanceSteps(transactions.data?.transactions ?? [])
  const [first, last] = [steps.x[0], steps.x.at(-1)]
  if (first === undefined || last === undefined || steps.x.length < 2) return null
  const isLong = last - first > 2 * day_ms
  const format = (at: number): string => (isLong ? formatDate : formatTime)(new Date(at).toISOString())
  return (
    <Section title={moneyTexts.curve}>
      <LineChart
        label={moneyTexts.curveLabel(format(first), format(last))}
        x={steps.x}
        series={[{ name: moneyTexts.entries.balance, colour: 'var(--accent)', values: steps.credits }]}
        formatX={format}
        formatY={formatCount}
      />
    </Section>
  )
}

/** A round sum to begin with. */
const suggested_credits = 5000

/** Buys credits. */
function TopUpDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={moneyTexts.topUp} onClose={onClose} actions={<Button onClick={onClose}>{uiTexts.cancel}</Button>}>
      <TopUp missing_credits={suggested_credits} onDone={onClose} isTitled={false} />
    </Dialog>
  )
}

/** One credit is one Australian cent. */
const aud_per_credit = 0.01

const lotKinds: Readonly<Record<string, string>> = moneyTexts.reasons

/** The available and held credits, their sources, and when they expire. */
export function Money() {
  const balance = useOperation('billing.credits.balance', {})
  const [isToppingUp, setToppingUp] = useState(false)
  return (
    <MoneyScreen actions={<CopyCall operation="billing.credits.balance" input={{}} />}>
      <QueryView query={balance} title={moneyTexts.available} rows={3}>
        {({ available_credits, held_credits, lots }) => (
          <>
            <Section
              title={moneyTexts.available}
              actions={
                <Button kind="primary" aria-haspopup="dialog" onClick={() => setToppingUp(true)}>
                  {moneyTexts.topUp}
                </Button>
              }
            >
              <p className={styles['balance']}>
                <Credits credits={available_credits} aud={available_credits * aud_per_credit} />
              </p>
              {held_credits > 0 && (
                <p>
                  {moneyTexts.held}:{' '}
                  <Link to="/orders" search={keepView}>
                    <Credits credits={held_credits} aud={held_credits * aud_per_credit} />
                  </Link>
                </p>
              )}
            </Section>
            <BalanceCurve />
            <LotSection lots={lots} />
          </>
        )}
      </QueryView>
      {!isForbidden(balance.error) && <VerifyJournal />}
      {isToppingUp && (
        <OverlayBoundary onClose={() => setToppingUp(false)}>
          <TopUpDialog onClose={() => setToppingUp(false)} />
        </OverlayBoundary>
      )}
    </MoneyScreen>
  )
}

type Lots = OutputOf<'billing.credits.balance'>['lots']

/** Sources of the credits, and when they expire. */
const LotSection = ({ lots }: { lots: Lots }) => (
  <Section title={moneyTexts.lots}>
    {lots.length === 0 ? (
      <p>{moneyTexts.noLots}</p>
    ) : (
      <DataTable
        label={moneyTexts.lots}
        rows={lots}
        getKey={({ id }) => id}
        columns={[
          { title: moneyTexts.lot.kind, render: ({ kind }) => <EntriesLink reason={kind} /> },
          {
            title: moneyTexts.lot.left,
            isNumeric: true,
            render: ({ remaining_credits }) => <Credits credits={remaining_credits} />,
          },
          {
            title: moneyTexts.lot.ends,
            render: ({ expires_at }) => (expires_at ? <Time at={expires_at} /> : moneyTexts.lot.never),
          },
        ]}
      />
    )}
  </Section>
)

/** The entries of the journal that a kind of credits came with. */
function EntriesLink({ reason }: { reason: string }) {
  const label = lotKinds[reason]
  if (!label) return reason
  return (
    <Link to="/money/journal" search={({ v }: { v?: string }) => ({ ...(v ? { v } : {}), reason })}>
      {label}
    </Link>
  )
}
