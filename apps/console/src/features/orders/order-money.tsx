import type { ChargeExplanation, Order } from '@swath/client/operations.ts'
import { useOperation } from '../../api/use-operation.ts'
import { ordersTexts } from '../../texts/orders.ts'
import { CopyCall } from '../../ui/copy-call.tsx'
import { DataTable, type Column } from '../../ui/data-table.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Credits, Time } from '../../ui/figures.tsx'
import { formatArea, formatCredits } from '../../ui/format.ts'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { Section } from '../../ui/screen.tsx'
import { isProblem } from '../../api/problem.ts'
import { isOpen } from './order-states.ts'
import typography from '../../ui/typography.module.css'

/** The credits that were held, captured and released, and why. */
export function OrderMoney({ order }: { order: Order }) {
  const { id, totalCredits, creditsCaptured, creditsRefunded, billingMode, status } = order
  const explanation = useOperation('billing.charge.explain', { order_id: id }, { enabled: totalCredits > 0 })
  const held = isOpen(status) ? totalCredits - creditsCaptured - creditsRefunded : 0
  return (
    <Section
      title={ordersTexts.money}
      actions={totalCredits > 0 && <CopyCall operation="billing.charge.explain" input={{ order_id: id }} />}
    >
      <Facts
        facts={[
          [ordersTexts.held, <Sum key="held" credits={held} />],
          [ordersTexts.captured, <Sum key="captured" credits={creditsCaptured} />],
          [ordersTexts.released, <Sum key="released" credits={creditsRefunded} />],
          [ordersTexts.mode, ordersTexts.modes[billingMode]],
        ]}
      />
      {explanation.data && <Explanation explanation={explanation.data} />}
      {explanation.error && <Unexplained error={explanation.error} />}
    </Section>
  )
}

const Sum = ({ credits }: { credits: number }) => <Credits credits={credits} aud={credits / 100} />

/** The charge is explained to those who may read billing data; a free order has none. */
function Unexplained({ error }: { error: unknown }) {
  if (isProblem(error, 'not-found')) return null
  if (isProblem(error, 'insufficient-scope', 'forbidden'))
    return <p className={typography['note']}>{ordersTexts.whyForbidden}</p>
  return <ProblemNote error={error} isRead />
}

type Line = ChargeExplanation['lines'][number]

const quantity = (value: number, unit: string): string => (unit === 'km2' ? formatArea(value) : `${value} ${unit}`)

const lineColumns: readonly Column<Line>[] = [
  {
    title: ordersTexts.scene,
    render: ({ description, product, rate_credits, unit }) => (
      <>
        {description}
        <br />
        <small className={typography['note']}>
          {product} · {ordersTexts.rateOf(formatCredits(rate_credits), unit === 'km2' ? 'km²' : unit)}
        </small>
      </>
    ),
  },
  {
    title: ordersTexts.quantity,
    isNumeric: true,
    render: ({ charged_quantity, measured_quantity, minimum_quantity, unit }) => (
      <>
        {quantity(charged_quantity, unit)}
        {measured_quantity < minimum_quantity && (
          <>
            <br />
            <small className={typography['note']}>{ordersTexts.minimumUsed(quantity(measured_quantity, unit))}</small>
          </>
        )}
      </>
    ),
  },
  { title: ordersTexts.amount, isNumeric: true, render: ({ amount_credits }) => formatCredits(amount_credits) },
]

type Entry = ChargeExplanation['entries'][number]

const entryColumns: readonly Column<Entry>[] = [
  { title: ordersTexts.time, render: ({ created_at }) => <Time at={created_at} /> },
  { title: ordersTexts.entry, render: ({ kind }) => kind },
  { title: ordersTexts.amount, isNumeric: true, render: ({ amount_credits }) => formatCredits(amount_credits) },
]

function Explanation({ explanation: { sentence, lines, entries } }: { explanation: ChargeExplanation }) {
  return (
    <>
      <p>{sentence}</p>
      <details>
        <summary>{ordersTexts.lines}</summary>
        <DataTable
          label={ordersTexts.lines}
          columns={lineColumns}
          rows={lines}
          getKey={({ description }) => description}
        />
      </details>
      <details>
        <summary>{ordersTexts.entries}</summary>
        <DataTable label={ordersTexts.entries} columns={entryColumns} rows={entries} getKey={({ id }) => id} />
      </details>
    </>
  )
}
