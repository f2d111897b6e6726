import { randomText } from '../../../ids.ts'
import { PaymentsFailure } from '../payments.ts'
import { toStripeDispute, recordPaymentProcessorEvent } from './events.ts'
import { lockAndReadEmbeddedPaymentIntent } from './intents.ts'
import { notFound } from './customers.ts'
import type { PaymentProcessorTx } from './processor-tx.ts'
import * as store from './store.intents.ts'

/** A card holder disputes a charge at the bank. */
export async function simulateCardDispute(
  processorTx: PaymentProcessorTx,
  intent: string,
  amount_cents: number,
): Promise<{ id: string }> {
  const { captured_cents, organization_id } = await lockAndReadEmbeddedPaymentIntent(processorTx, intent)
  if (amount_cents < 1 || amount_cents > captured_cents) {
    throw new PaymentsFailure('invalid', 'The amount of a dispute must not exceed the captured amount.', { intent })
  }
  const row = { id: `dp_${randomText(24)}`, intent, amount_cents, status: 'open' } as const
  await store.insertPaymentProcessorDispute(processorTx.tx, row, processorTx.now)
  await recordPaymentProcessorEvent(processorTx, organization_id, 'charge.dispute.created', toStripeDispute(row))
  return { id: row.id }
}

/** Closes a dispute with the decision of the bank; once only. */
export async function closePaymentProcessorDispute(
  processorTx: PaymentProcessorTx,
  id: string,
  status: 'won' | 'lost',
): Promise<void> {
  const row = await store.lockPaymentProcessorDispute(processorTx.tx, id)
  if (!row) throw notFound('dispute')
  if (row.status !== 'open') throw new PaymentsFailure('invalid', `The dispute is already ${row.status}.`)
  const closed = { ...row, status }
  await store.updatePaymentProcessorDispute(processorTx.tx, closed)
  const { organization_id } = await lockAndReadEmbeddedPaymentIntent(processorTx, row.intent)
  await recordPaymentProcessorEvent(processorTx, organization_id, 'charge.dispute.closed', toStripeDispute(closed))
}
