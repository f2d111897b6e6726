import { paymentMethodsAttach } from '@swath/contract/operations/payment_methods.ts'
import type { Call } from '../../engine/call.ts'
import { handler } from '../../engine/handler.ts'
import type { Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import type { Card } from '../../platform/outside/payments/payments.ts'
import { requireBillingRole } from '../billing/billing-roles.ts'
import { planCardWarning } from '../billing/cards/card-uses.ts'
import { processorAnswer } from '../billing/cards/payment-problems.ts'
import { emit } from '../events/emit.ts'
import { lockBooks } from '../ledger/books.ts'
import { cardData, type CardRow } from './cards.ts'
import { ensureCustomer } from './customer.ts'
import { findCardNamed, insertCard } from './store.ts'

export const attachPaymentMethod = handler(paymentMethodsAttach, async (call, input) => {
  await requireBillingRole(call)
  const { payments } = call.outside
  const given = input.payment_method_id.replace(/^cst_/, 'pm_')
  const customer = await processorAnswer(ensureCustomer(call))
  const card = await processorAnswer(payments.attach(customer, given))
  const row = await call.transaction((tx) => keepCard(tx, call, card))
  // After the row is saved, so that a retry after a crash in between repeats this step.
  if (row.is_default) await processorAnswer(payments.setDefault(customer, row.payment_method_id))
  return { id: row.id, isDefault: row.is_default }
})

/** Saves one row per card, also if it is attached repeatedly. */
async function keepCard(tx: Tx, call: Call, card: Card): Promise<CardRow> {
  const { organization, outside, principal } = call
  await lockBooks(tx, organization)
  const now = call.clock.now()
  const known = await findCardNamed(tx, organization, outside.payments.env, card.id)
  if (known?.detached_at === null) return known
  const { id: payment_method_id, kind, brand, last4, exp_month, exp_year } = card
  const facts = { payment_method_id, kind, brand, last4, exp_month, exp_year }
  const made = { id: newId(), env: outside.payments.env, created_by: principal.id, created_at: now }
  const row = await insertCard(tx, organization, { ...facts, ...made })
  await planCardWarning(tx, organization, row, now)
  await emit(tx, call, {
    kind: 'payment_method.attached',
    entity_type: 'payment_method',
    entity_id: row.id,
    data: cardData(row),
  })
  return row
}
