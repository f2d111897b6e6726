import { ReceiptText } from 'lucide-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { OutputOf } from '@swath/client/operations.ts'
import { useOperation } from '../../api/use-operation.ts'
import { texts } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { CopyCall } from '../../ui/copy-call.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Time } from '../../ui/figures.tsx'
import { formatCount } from '../../ui/format.ts'
import { QueryView } from '../../ui/query-view.tsx'
import { MoneyScreen } from './money-screen.tsx'
import styles from './money.module.css'

type Transaction = OutputOf<'billing.credits.transactions'>['transactions'][number]

const page_size = 50

/** Every movement of the wallet, the newest first, each with its reason. */
export function Journal() {
  const navigate = useNavigate()
  const { offset: asked } = useSearch({ strict: false }) as { offset?: unknown }
  const offset = Number.isInteger(asked) && Number(asked) > 0 ? Number(asked) : 0
  const input = { limit: page_size, offset }
  const journal = useOperation('billing.credits.transactions', input)
  const [explained, setExplained] = useState<string | null>(null)
  const show = (next: number): void =>
    void navigate({
      to: '.',
      search: ({ v }: { v?: string }) => ({ ...(v ? { v } : {}), ...(next > 0 ? { offset: next } : {}) }),
    })
  const { entries, reasons } = texts.money
  return (
    <MoneyScreen actions={<CopyCall operation="billing.credits.transactions" input={input} />}>
      <QueryView query={journal} rows={8}>
        {({ transactions, total }) =>
          transactions.length === 0 ? (
            <EmptyState icon={ReceiptText} title={texts.money.noEntries}>
              <p>{texts.money.noEntriesHelp}</p>
            </EmptyState>
          ) : (
            <>
              <DataTable<Transaction>
                label={texts.money.journal}
                rows={transactions}
                getKey={({ id }) => id}
                columns={[
                  { title: entries.time, render: ({ created_at }) => <Time at={created_at} /> },
                  { title: entries.reason, render: ({ reason }) => reasons[reason as keyof typeof reasons] ?? reason },
                  {
                    title: entries.amount,
                    isNumeric: true,
                    render: ({ amount_credits }) => formatCount(amount_credits),
                  },
                  {
                    title: entries.balance,
                    isNumeric: true,
                    render: ({ balance_after_credits }) => formatCount(balance_after_credits),
                  },
                  {
                    title: entries.why,
                    render: ({ id }) => (
                      <Button
                        kind="quiet"
                        aria-expanded={explained === id}
                        onClick={() => setExplained(explained === id ? null : id)}
                      >
                        {texts.money.why}
                      </Button>
                    ),
                  },
                ]}
              />
              {explained && <Explanation transactionId={explained} />}
              <nav className={styles['pages']} aria-label={texts.money.journal}>
                <Button disabled={offset === 0} onClick={() => show(Math.max(0, offset - page_size))}>
                  {texts.money.previous}
                </Button>
                <Button disabled={offset + page_size >= total} onClick={() => show(offset + page_size)}>
                  {texts.money.next}
                </Button>
              </nav>
            </>
          )
        }
      </QueryView>
    </MoneyScreen>
  )
}

function Explanation({ transactionId }: { transactionId: string }) {
  const explanation = useOperation('billing.charge.explain', { transaction_id: transactionId })
  return (
    <div className={styles['why']} role="status">
      <QueryView query={explanation} rows={1}>
        {({ sentence }) => <p>{sentence}</p>}
      </QueryView>
    </div>
  )
}
