import { billingEnterpriseAccrual } from '@swath/contract/operations/billing.admin.ts'
import { handler } from '../../engine/handler.ts'
import { actIn } from '../organizations/named.ts'
import { audOf } from './aud.ts'
import { accrualsOf } from './months/enterprise-accruals.ts'
import { monthOf } from './months/months.ts'

interface Accrued {
  readonly cents: number
  readonly invoiced_in: string | null
}

export const readAccrual = handler(billingEnterpriseAccrual, async (call, input) => {
  const { organization, clock } = await actIn(call, input.organization_id)
  const period = input.period ?? monthOf(clock.now())
  const { orders, true_ups } = await accrualsOf(call.across, organization, period)
  const all: Accrued[] = [
    ...orders.map(({ amount_credits: cents, invoiced_in }) => ({ cents, invoiced_in })),
    ...true_ups.map(({ amount_cents: cents, invoiced_in }) => ({ cents, invoiced_in })),
  ]
  const accrual = {
    organization_id: organization,
    period,
    total_aud: sum(all),
    invoiced_aud: sum(all.filter(({ invoiced_in }) => invoiced_in !== null)),
    orders: orders.map((row) => ({
      order_id: row.reference_id,
      kind: row.reference_type,
      amount_aud: audOf(row.amount_credits),
      reference: row.invoiced_in,
      at: row.at.toISOString(),
    })),
    true_ups: true_ups.map((row) => ({
      commitment_id: row.commitment_id,
      amount_aud: audOf(row.amount_cents),
      reference: row.invoiced_in,
      at: row.at.toISOString(),
    })),
  }
  return { accrual }
})

const sum = (rows: readonly Accrued[]): number => audOf(rows.reduce((total, { cents }) => total + cents, 0))
