import { billingLotsListOperation } from '@swath/contract/operations/billing.ts'
import type { Lot } from '@swath/contract/schemas/ledger.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toListPage } from '../../../engine/page.ts'
import type { OrganizationTime } from '../../../platform/clock.ts'
import type { CreditLotRow } from '../../ledger/store.lots.ts'
import { listCreditLots } from '../../ledger/store.lots.ts'

export const handler = defineHandler(billingLotsListOperation, async (call, input) => {
  const { rows, total } = await listCreditLots(call.db, call.organization, input)
  const now = call.clock.now()
  return toListPage('lots', { rows: rows.map((lot) => toLot(lot, now)), total }, input)
})

/** An expired lot counts as expired even if it is not written off yet, consistent with the balance. */
function toLot({ available_credits, expired_credits, ...lot }: CreditLotRow, now: OrganizationTime): Lot {
  const isExpired = lot.expires_at !== null && lot.expires_at.getTime() <= now.getTime()
  const available = isExpired ? 0 : available_credits
  const expired = expired_credits + available_credits - available
  const statuses = [
    ['open', available > 0 || (lot.held_credits > 0 && !isExpired)],
    ['expired', expired > 0 || lot.held_credits > 0],
    ['empty', true],
  ] as const
  return {
    ...lot,
    status: statuses.find(([, holds]) => holds)![0],
    available_credits: available,
    expired_credits: expired,
    expires_at: lot.expires_at?.toISOString() ?? null,
    created_at: lot.created_at.toISOString(),
  }
}
