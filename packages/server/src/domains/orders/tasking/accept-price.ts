import type { TaskingTransitionName } from '@swath/contract/lifecycles.ts'
import type { Call } from '../../../engine/call.ts'
import { backgroundTaskTypes } from '../../../engine/task-types.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { runWithReservedPayment, type PaymentReservation } from '../../billing/payment.ts'
import { requireAcceptedEulas } from '../../eulas/required-eulas.ts'
import { readProductTerms } from '../../contracts/rates.ts'
import { applyProductTerms, formatDataProductName, type ProductTermsByName } from '../../rate-cards/product-terms.ts'
import { lockOpenProject } from '../../projects/access.ts'
import type { OrderRow } from '../store.ts'
import { lockTaskingOrder } from './offer-decisions.ts'
import {
  listTaskingOrderAreas,
  updateOrderTerms,
  updateHostTaskPriceAndPlan,
  type TaskingOrderAreaRow,
} from './store.order-areas.ts'
import { transitionSubStatus } from './sub-status.ts'
import {
  divideCreditsByArea,
  computeHoldLifetime_days,
  computeTaskingCancelTerms,
  toPriceGroups,
  toHostTaskChargeLines,
} from './task-terms.ts'

export interface PriceAcceptance {
  readonly order: OrderRow
  readonly credits: number
  readonly move: Extract<TaskingTransitionName, 'choose_priced_option' | 'accept_quotation'>
  /** The changes of the accepted option to an area. */
  readonly change?: (group: TaskingOrderAreaRow) => Pick<TaskingOrderAreaRow, 'constraints' | 'planned_at'>
  readonly max_credits: number | null | undefined
  /** Writes the decision; throws if it was made already. */
  readonly decide: (tx: Tx) => Promise<void>
}

/**
 * Accepts a price: in one transaction it writes the decision, the price of the order, the hold for it and the task that
 * places it. Throws what `runWithReservedPayment` throws; then nothing was written and the decision is still open.
 */
export async function acceptTaskingPrice(call: Call, acceptance: PriceAcceptance): Promise<void> {
  const { order, credits, max_credits, change } = acceptance
  const stored = await listTaskingOrderAreas(call.db, call.organization, [order.id])
  await requireAcceptedEulas(call, listProducts(call, stored, await readProductTerms(call)))
  const shares = divideCreditsByArea(stored, credits)
  const groups = stored.map((group, index) => ({ ...group, ...change?.(group), credits: shares[index]! }))
  const now = call.clock.now()
  const payment = {
    amount_credits: credits,
    subject: 'order',
    reference_id: order.id,
    lines: toHostTaskChargeLines(groups, now.toISOString().slice(0, 10)),
    lifetime_days: computeHoldLifetime_days(groups, now),
    max_credits: max_credits ?? null,
  }
  await runWithReservedPayment(call, payment, (tx, reservation) =>
    writeAcceptance(tx, call, { ...acceptance, groups, reservation }),
  )
}

async function writeAcceptance(
  tx: Tx,
  call: Call,
  {
    order,
    credits,
    move,
    decide,
    groups,
    reservation,
  }: PriceAcceptance & { readonly groups: readonly TaskingOrderAreaRow[]; readonly reservation: PaymentReservation },
): Promise<void> {
  await lockOpenProject(tx, call, order.project_id)
  // First the row of the order, as everything that changes it does; then the decision.
  const { status } = await lockTaskingOrder(tx, call.organization, order.id)
  const data = { creditsPrice: credits }
  const isOpen = status === 'CREATED' && (await transitionSubStatus(tx, call, { order_id: order.id, move, data }))
  await decide(tx)
  if (!isOpen) throw new Error(`the order ${order.id} has an open decision in the sub-status ${order.sub_status}`)
  await updateOrderTerms(tx, call.organization, order.id, {
    hold_id: reservation.hold_id,
    billing_mode: reservation.billing_mode,
    total_credits: credits,
    groups: toPriceGroups(groups),
    ...computeTaskingCancelTerms(groups),
    now: call.clock.now(),
  })
  for (const group of groups) await updateHostTaskPriceAndPlan(tx, call.organization, group.id, group)
  const payload = { organization_id: call.organization, order_id: order.id }
  await call.queue.enqueue(tx, backgroundTaskTypes.placeWithHost, payload, { singleton_key: order.id })
}

/** The products of the areas, for the agreements that they need. */
const listProducts = ({ integrations }: Call, groups: readonly TaskingOrderAreaRow[], products: ProductTermsByName) =>
  groups.flatMap(({ host: name, product }) => {
    const host = integrations.hosts.get(name)
    const declared = host?.tasking?.products.find(({ id }) => id === product)
    const collection = declared ? applyProductTerms(declared, products.get(formatDataProductName(name, product))) : null
    return host ? [{ host, collection }] : []
  })
