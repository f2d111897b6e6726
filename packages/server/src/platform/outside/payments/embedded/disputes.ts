import { randomText } from '../../../ids.ts'
import { PaymentsFailure } from '../payments.ts'
import { disputeThing, record } from './events.ts'
import { openIntent } from './intents.ts'
import { missing } from './people.ts'
import type { Desk } from './request.ts'
import * as store from './store.intents.ts'

/** A card holder disputes a charge at the bank. */
export async function openDispute(desk: Desk, intent: string, amount_cents: number): Promise<{ id: string }> {
  const { captured_cents } = await openIntent(desk, intent)
  if (amount_cents < 1 || amount_cents > captured_cents) {
    throw new PaymentsFailure('invalid', 'The amount of a dispute must not exceed the captured amount.', { intent })
  }
  const row = { id: `dp_${randomText(24)}`, intent, amount_cents, status: 'open' } as const
  await store.insertDispute(desk.tx, row, desk.now)
  await record(desk, 'charge.dispute.created', disputeThing(row))
  return { id: row.id }
}

/** Closes a dispute with the decision of the bank; once only. */
export async function closeDispute(desk: Desk, id: string, status: 'won' | 'lost'): Promise<void> {
  const row = await store.lockDispute(desk.tx, id)
  if (!row) throw missing('dispute')
  if (row.status !== 'open') throw new PaymentsFailure('invalid', `The dispute is already ${row.status}.`)
  const closed = { ...row, status }
  await store.saveDispute(desk.tx, closed)
  await record(desk, 'charge.dispute.closed', disputeThing(closed))
}
