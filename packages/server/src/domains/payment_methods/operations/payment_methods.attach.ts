import { paymentMethodsAttachOperation } from '@swath/contract/operations/payment_methods.ts'
import type { Call } from '../../../engine/call.ts'
import { defineHandler } from '../../../engine/handler.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { newId } from '../../../platform/ids.ts'
import type { PaymentCard } from '../../../platform/integrations/payments/payments.ts'
import { scheduleCardExpiryWarning } from '../../card-payments/card-uses.ts'
import { withPaymentProblems } from '../../card-payments/payment-problems.ts'
import { emitEvent } from '../../events/emit.ts'
import { lockLedger } from '../../ledger/ledger-session.ts'
import { toCardEventData } from '../cards.ts'
import { ensureProcessorCustomer } from '../customer.ts'
import { findCardByProcessorId, insertCard, type CardRow } from '../store.ts'

export const handler = defineHandler(paymentMethodsAttachOperation, async (call, input) => {
  const { payments } = call.integrations
  const methodId = input.payment_method_id.replace(/^cst_/, 'pm_')
  const customer = await withPaymentProblems(ensureProcessorCustomer(call))
  const card = await withPaymentProblems(payments.attach(customer, methodId))
  const row = await call.transaction((tx) => saveCard(tx, call, card))
  // After the row is saved, so that a retry after a crash in between repeats this step.
  if (row.is_default) await withPaymentProblems(payments.setDefault(customer, row.payment_method_id))
  return { id: row.id, isDefault: row.is_default }
})

/** Saves one row per card, also if it is attached repeatedly. */
async function saveCard(tx: Tx, call: Call, card: PaymentCard): Promise<CardRow> {
  const { organization, integrations, principal } = call
  await lockLedger(tx, organization)
  const now = call.clock.now()
  const existing = await findCardByProcessorId(tx, organization, integrations.payments.env, card.id)
  if (existing?.detached_at === null) return existing
  const { id: payment_method_id, kind, brand, last4, exp_month, exp_year } = card
  const cardDetails = { payment_method_id, kind, brand, last4, exp_month, exp_year }
  const creationDetails = { id: newId(), env: integrations.payments.env, created_by: principal.id, created_at: now }
  const row = await insertCard(tx, organization, { ...cardDetails, ...creationDetails })
  await scheduleCardExpiryWarning(tx, organization, row, now)
  await emitEvent(tx, call, {
    kind: 'payment_method.attached',
    entity_type: 'payment_method',
    entity_id: row.id,
    data: toCardEventData(row),
  })
  return row
}
