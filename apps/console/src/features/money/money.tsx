import { CircleCheck, CircleX } from 'lucide-react'
import { useState } from 'react'
import { usePlatform } from '../../api/platform.tsx'
import { useOperation } from '../../api/use-operation.ts'
import { useMutation } from '@tanstack/react-query'
import { texts } from '../../texts.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyCall } from '../../ui/copy-call.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Credits, Time } from '../../ui/figures.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { Section } from '../../ui/screen.tsx'
import { BalanceCurve } from './balance-curve.tsx'
import { MoneyScreen } from './money-screen.tsx'
import styles from './money.module.css'
import { TopUpDialog } from './top-up-dialog.tsx'

/** One credit is one Australian cent. */
const aud_per_credit = 0.01

const lotKinds: Readonly<Record<string, string>> = texts.money.reasons

/** What can be spent, what is held, where it came from and when it ends. */
export function Money() {
  const balance = useOperation('billing.credits.balance', {})
  const [isToppingUp, setToppingUp] = useState(false)
  return (
    <MoneyScreen actions={<CopyCall operation="billing.credits.balance" input={{}} />}>
      <QueryView query={balance} rows={3}>
        {({ available_credits, held_credits, lots }) => (
          <>
            <Section
              title={texts.money.available}
              actions={
                <Button kind="primary" onClick={() => setToppingUp(true)}>
                  {texts.money.topUp}
                </Button>
              }
            >
              <p className={styles['balance']}>
                <Credits credits={available_credits} aud={available_credits * aud_per_credit} />
              </p>
              {held_credits > 0 && (
                <p>
                  {texts.money.held}: <Credits credits={held_credits} />
                </p>
              )}
            </Section>
            <BalanceCurve />
            <Section title={texts.money.lots}>
              {lots.length === 0 ? (
                <p>{texts.money.noLots}</p>
              ) : (
                <DataTable
                  label={texts.money.lots}
                  rows={lots}
                  getKey={({ id }) => id}
                  columns={[
                    { title: texts.money.lot.kind, render: ({ kind }) => lotKinds[kind] ?? kind },
                    {
                      title: texts.money.lot.left,
                      isNumeric: true,
                      render: ({ remaining_credits }) => <Credits credits={remaining_credits} />,
                    },
                    {
                      title: texts.money.lot.ends,
                      render: ({ expires_at }) => (expires_at ? <Time at={expires_at} /> : texts.money.lot.never),
                    },
                  ]}
                />
              )}
            </Section>
          </>
        )}
      </QueryView>
      <VerifyJournal />
      {isToppingUp && <TopUpDialog onClose={() => setToppingUp(false)} />}
    </MoneyScreen>
  )
}

/** The hash chain of the journal, checked on demand. */
function VerifyJournal() {
  const { client } = usePlatform()
  const verify = useMutation({ mutationFn: () => client.call('billing.ledger.verify', {}) })
  return (
    <Section title={texts.money.journal}>
      <Button isPending={verify.isPending} onClick={() => verify.mutate()}>
        {texts.money.verify}
      </Button>
      {verify.data &&
        (verify.data.valid ? (
          <Badge icon={CircleCheck} tone="good">
            {texts.money.verified(verify.data.entries)}
          </Badge>
        ) : (
          <Badge icon={CircleX} tone="bad">
            {texts.money.broken(verify.data.faults.length)}
          </Badge>
        ))}
      {verify.isError && <ProblemNote error={verify.error} />}
    </Section>
  )
}
