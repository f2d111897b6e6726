import { billingEnterpriseAccrualOperation } from '@swath/contract/operations/billing.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toActorInOrganization } from '../../organizations/all-organizations.ts'
import { centsToAud } from '../../ledger/aud.ts'
import { readMonthAccruals } from '../../invoicing/billing-cycle/enterprise-accruals.ts'
import { toUtcMonth } from '../../contracts/months.ts'

interface AccruedAmount {
  readonly cents: number
  readonly invoiced_in: string | null
}

export const handler = defineHandler(billingEnterpriseAccrualOperation, async (call, input) => {
  const { organization, clock } = await toActorInOrganization(call, input.organization_id)
  const period = input.period ?? toUtcMonth(clock.now())
  const { orders, true_ups } = await readMonthAccruals(call.unscoped, organization, period)
  const amounts: AccruedAmount[] = [
    ...orders.map(({ amount_credits: cents, invoiced_in }) => ({ cents, invoiced_in })),
    ...true_ups.map(({ amount_cents: cents, invoiced_in }) => ({ cents, invoiced_in })),
  ]
  const accrual = {
    organization_id: organization,
    period,
    total_aud: sumAud(amounts),
    invoiced_aud: sumAud(amounts.filter(({ invoiced_in }) => invoiced_in !== null)),
    orders: orders.map((row) => ({
      order_id: row.reference_id,
      kind: row.reference_type,
      amount_aud: centsToAud(row.amount_credits),
      reference: row.invoiced_in,
      at: row.at.toISOString(),
    })),
    true_ups: true_ups.map((row) => ({
      commitment_id: row.commitment_id,
      amount_aud: centsToAud(row.amount_cents),
      reference: row.invoiced_in,
      at: row.at.toISOString(),
    })),
  }
  return { accrual }
})

const sumAud = (rows: readonly AccruedAmount[]): number =>
  centsToAud(rows.reduce((total, { cents }) => total + cents, 0))
