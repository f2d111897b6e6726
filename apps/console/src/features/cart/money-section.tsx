import { LimitWarning, Warning } from '../../payments/limit-warning.tsx'
import { planEntries, type PlannedEntry } from '../../payments/planned-entries.ts'
import { findExceededLimit, type Checkout } from '../../payments/use-checkout.ts'
import { cartTexts } from '../../texts/cart.ts'
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
  { title: cartTexts.figure, render: ({ name }) => name },
  { title: cartTexts.before, isNumeric: true, render: ({ before }) => before },
  { title: cartTexts.after, isNumeric: true, render: ({ after }) => after },
]

const entryColumns: readonly Column<PlannedEntry>[] = [
  {
    title: cartTexts.entry,
    render: ({ kind, when, from, to }) => (
      <>
        <strong>{cartTexts.kinds[kind]}</strong> {cartTexts.when[when]}
        <br />
        <small>{cartTexts.movement(cartTexts.accounts[from], cartTexts.accounts[to])}</small>
      </>
    ),
  },
  {
    title: cartTexts.amount,
    isNumeric: true,
    render: ({ when, credits }) => (when === 'now' ? formatCredits(credits) : cartTexts.upTo(formatCredits(credits))),
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
    <Section title={cartTexts.money}>
      <DataTable
        label={cartTexts.effects}
        columns={effectColumns}
        rows={describeEffects(checkout, price_credits)}
        getKey={({ name }) => name}
      />
      <Warnings checkout={checkout} price_credits={price_credits} />
      <details open>
        <summary>{cartTexts.entries}</summary>
        {entries.length === 0 ? (
          <small className={typography['note']}>{cartTexts.noEntry}</small>
        ) : (
          <>
            <DataTable label={cartTexts.entries} columns={entryColumns} rows={entries} getKey={({ kind }) => kind} />
            <small className={typography['note']}>{cartTexts.onlyDelivered}</small>
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
      {missing_credits > 0 && <Warning>{cartTexts.short(formatCredits(missing_credits))}</Warning>}
    </>
  )
}

function describeEffects({ mode, available_credits, held_credits, limits }: Checkout, price: number): EffectRow[] {
  const fromWallet = mode === 'credit' ? price : 0
  const { per_order_limit_credits: perOrder = null, spend_limit_credits: limit = null } = limits ?? {}
  const used = limits?.window_used_credits ?? 0
  const usedOf = (credits: number, of: number): string => cartTexts.used(formatCredits(credits), formatCredits(of))
  return [
    {
      name: cartTexts.balance,
      before: formatCredits(available_credits),
      after: formatCredits(available_credits - fromWallet),
    },
    { name: cartTexts.held, before: formatCredits(held_credits), after: formatCredits(held_credits + fromWallet) },
    {
      name: cartTexts.perOrder,
      before: perOrder === null ? cartTexts.noLimit : formatCredits(perOrder),
      after: perOrder === null ? '' : usedOf(price, perOrder),
    },
    {
      name: cartTexts.window,
      before: limit === null ? cartTexts.noLimit : usedOf(used, limit),
      after: limit === null ? '' : usedOf(used + price, limit),
    },
  ]
}
