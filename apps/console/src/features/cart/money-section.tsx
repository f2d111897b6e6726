import { LimitWarning, Warning } from '../../payments/limit-warning.tsx'
import { planEntries, type PlannedEntry } from '../../payments/planned-entries.ts'
import { findExceededLimit, type Checkout } from '../../payments/use-checkout.ts'
import { texts } from '../../texts.ts'
import { DataTable, type Column } from '../../ui/data-table.tsx'
import { formatCredits } from '../../ui/format.ts'
import { Section } from '../../ui/screen.tsx'
import typography from '../../ui/typography.module.css'

interface EffectRow {
  readonly name: string
  readonly before: string
  readonly after: string
}

const effectColumns: readonly Column<EffectRow>[] = [
  { title: texts.cart.figure, render: ({ name }) => name },
  { title: texts.cart.before, isNumeric: true, render: ({ before }) => before },
  { title: texts.cart.after, isNumeric: true, render: ({ after }) => after },
]

const entryColumns: readonly Column<PlannedEntry>[] = [
  {
    title: texts.cart.entry,
    render: ({ kind, when, from, to }) => (
      <>
        <strong>{texts.cart.kinds[kind]}</strong> {texts.cart.when[when]}
        <br />
        <small>{texts.cart.movement(texts.cart.accounts[from], texts.cart.accounts[to])}</small>
      </>
    ),
  },
  {
    title: texts.cart.amount,
    isNumeric: true,
    render: ({ when, credits }) => (when === 'now' ? formatCredits(credits) : texts.cart.upTo(formatCredits(credits))),
  },
]

interface MoneySectionProps {
  readonly checkout: Checkout
  readonly price_credits: number
}

/** Balance and limits before and after, and the entries that placing writes. */
export function MoneySection({ checkout, price_credits }: MoneySectionProps) {
  const entries = planEntries(checkout.mode, price_credits)
  return (
    <Section title={texts.cart.money}>
      <DataTable
        label={texts.cart.effects}
        columns={effectColumns}
        rows={describeEffects(checkout, price_credits)}
        getKey={({ name }) => name}
      />
      <Warnings checkout={checkout} price_credits={price_credits} />
      <details open>
        <summary>{texts.cart.entries}</summary>
        {entries.length === 0 ? (
          <small className={typography['note']}>{texts.cart.noEntry}</small>
        ) : (
          <>
            <DataTable label={texts.cart.entries} columns={entryColumns} rows={entries} getKey={({ kind }) => kind} />
            <small className={typography['note']}>{texts.cart.onlyDelivered}</small>
          </>
        )}
      </details>
    </Section>
  )
}

function Warnings({ checkout: { limits, missing_credits }, price_credits }: MoneySectionProps) {
  const fault = findExceededLimit(limits, price_credits)
  return (
    <>
      {fault && <LimitWarning fault={fault} limits={limits} />}
      {missing_credits > 0 && <Warning>{texts.cart.short(formatCredits(missing_credits))}</Warning>}
    </>
  )
}

function describeEffects({ mode, available_credits, held_credits, limits }: Checkout, price: number): EffectRow[] {
  const fromWallet = mode === 'credit' ? price : 0
  const { per_order_limit_credits: perOrder = null, spend_limit_credits: limit = null } = limits ?? {}
  const used = limits?.window_used_credits ?? 0
  const usedOf = (credits: number, of: number): string => texts.cart.used(formatCredits(credits), formatCredits(of))
  return [
    {
      name: texts.cart.balance,
      before: formatCredits(available_credits),
      after: formatCredits(available_credits - fromWallet),
    },
    { name: texts.cart.held, before: formatCredits(held_credits), after: formatCredits(held_credits + fromWallet) },
    {
      name: texts.cart.perOrder,
      before: perOrder === null ? texts.cart.noLimit : formatCredits(perOrder),
      after: perOrder === null ? '' : usedOf(price, perOrder),
    },
    {
      name: texts.cart.window,
      before: limit === null ? texts.cart.noLimit : usedOf(used, limit),
      after: limit === null ? '' : usedOf(used + price, limit),
    },
  ]
}
