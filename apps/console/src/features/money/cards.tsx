import { useState } from 'react'
import type { OutputOf } from '@swath/client/operations.ts'
import { isForbidden } from '../../api/problem.ts'
import { useCommand, useOperation } from '../../api/use-operation.ts'
import { usePrincipal } from '../../api/use-principal.ts'
import { AddCard } from '../../payments/card-choice.tsx'
import { moneyTexts } from '../../texts/money.ts'
import { paymentsTexts } from '../../texts/payments.ts'
import { uiTexts } from '../../texts/ui.ts'
import { Button } from '../../ui/button.tsx'
import { CopyCall } from '../../ui/copy-call.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { CheckboxField, DigitsField, TextField } from '../../ui/field.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { Section } from '../../ui/screen.tsx'
import { MoneyScreen } from './money-screen.tsx'
import styles from './money.module.css'
import layout from '../../ui/layout.module.css'

type AutoTopup = OutputOf<'billing.auto_topup.get'>['auto_topup']

/** Saved cards, and buying credits by itself. */
export function Cards() {
  const cards = useOperation('payment_methods.list', {})
  const setDefault = useCommand('payment_methods.set_default', ['payment_methods.list'])
  const auto = useOperation('billing.auto_topup.get', {})
  return (
    <MoneyScreen actions={<CopyCall operation="payment_methods.list" input={{}} />}>
      <Section title={moneyTexts.cards}>
        <QueryView query={cards} rows={1}>
          {({ payment_methods }) =>
            payment_methods.length === 0 ? (
              <p>{moneyTexts.noCards}</p>
            ) : (
              <ul className={layout['stack8']}>
                {payment_methods.map(({ id, brand, last4, exp_month, exp_year, isDefault }) => (
                  <li className={layout['spread']} key={id}>
                    <span>
                      {paymentsTexts.cardName(brand, last4)}
                      {exp_month !== null && exp_year !== null && (
                        <small> {moneyTexts.expires(exp_month, exp_year)}</small>
                      )}
                    </span>
                    {isDefault ? (
                      <small>{moneyTexts.isDefault}</small>
                    ) : (
                      <Button onClick={() => setDefault.mutate({ payment_method_row_id: id })}>
                        {moneyTexts.makeDefault}
                      </Button>
                    )}
                    <RemoveCard id={id} name={paymentsTexts.cardName(brand, last4)} />
                  </li>
                ))}
              </ul>
            )
          }
        </QueryView>
        {!isForbidden(cards.error) && <AddCard />}
        {setDefault.error && <ProblemNote error={setDefault.error} />}
      </Section>
      <Section title={moneyTexts.auto}>
        <QueryView query={auto} rows={2}>
          {({ auto_topup }) => <AutoTopupForm key={JSON.stringify(auto_topup)} current={auto_topup} />}
        </QueryView>
      </Section>
      <Section title={moneyTexts.dailyLimit}>
        <QueryView query={auto} rows={1}>
          {({ daily_topup_limit_aud: limit }) => <DailyLimitForm key={limit} current={limit} />}
        </QueryView>
      </Section>
    </MoneyScreen>
  )
}

/** The limit of card charges for credits in a day; only an owner changes it. */
function DailyLimitForm({ current }: { current: number }) {
  const save = useCommand('billing.set_daily_topup_limit', ['billing.auto_topup.get'])
  const isOwner = usePrincipal().data?.organization?.role === 'owner'
  const [limit, setLimit] = useState(String(current))
  if (!isOwner) return <p>{moneyTexts.dailyLimitIs(current)}</p>
  return (
    <form
      className={`${layout['stack8']} ${styles['form']}`}
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate({ daily_topup_limit_aud: Number(limit) })
      }}
    >
      <TextField
        label={moneyTexts.dailyLimitField}
        inputMode="decimal"
        value={limit}
        onChange={(text) => setLimit(text.replaceAll(/[^\d.]/g, ''))}
      />
      <Button type="submit" isPending={save.isPending}>
        {moneyTexts.saveLimit}
      </Button>
      {save.isError && <ProblemNote error={save.error} />}
    </form>
  )
}

function RemoveCard({ id, name }: { id: string; name: string }) {
  const [isAsking, setAsking] = useState(false)
  const detach = useCommand('payment_methods.detach', ['payment_methods.list'])
  const close = (): void => setAsking(false)
  return (
    <>
      <Button kind="danger" aria-haspopup="dialog" onClick={() => setAsking(true)}>
        {moneyTexts.removeCard}
      </Button>
      {isAsking && (
        <Dialog
          title={moneyTexts.removeTitle(name)}
          onClose={close}
          actions={
            <>
              <Button onClick={close}>{uiTexts.cancel}</Button>
              <Button
                kind="danger"
                isPending={detach.isPending}
                onClick={() => detach.mutate({ payment_method_row_id: id }, { onSuccess: close })}
              >
                {moneyTexts.removeCard}
              </Button>
            </>
          }
        >
          <p>{moneyTexts.removeText}</p>
          {detach.isError && <ProblemNote error={detach.error} />}
        </Dialog>
      )}
    </>
  )
}

function AutoTopupForm({ current }: { current: AutoTopup }) {
  const save = useCommand('billing.set_auto_topup', ['billing.auto_topup.get'])
  const [enabled, setEnabled] = useState(current.enabled)
  const [threshold, setThreshold] = useState(String(current.threshold_credits))
  const [cap, setCap] = useState(String(current.daily_charge_cap_aud ?? ''))
  const [amount, setAmount] = useState(String(current.topup_amount_credits))
  return (
    <form
      className={`${layout['stack8']} ${styles['form']}`}
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate({
          enabled,
          threshold_credits: Number(threshold),
          topup_amount_credits: Number(amount),
          daily_charge_cap_aud: cap.trim() === '' ? null : Number(cap),
        })
      }}
    >
      <CheckboxField label={moneyTexts.autoOn} checked={enabled} onChange={setEnabled} />
      <div className={layout['pair']}>
        <DigitsField label={moneyTexts.threshold} value={threshold} onChange={setThreshold} />
        <DigitsField label={moneyTexts.amount} value={amount} onChange={setAmount} />
      </div>
      <TextField
        label={moneyTexts.dailyCap}
        inputMode="decimal"
        placeholder={uiTexts.noLimit}
        value={cap}
        onChange={(text) => setCap(text.replaceAll(/[^\d.]/g, ''))}
      />
      {current.consecutive_declines > 0 && <p>{moneyTexts.declines(current.consecutive_declines)}</p>}
      <Button type="submit" isPending={save.isPending}>
        {moneyTexts.save}
      </Button>
      {save.isSuccess && <p role="status">{moneyTexts.saved}</p>}
      {save.isError && <ProblemNote error={save.error} />}
    </form>
  )
}
