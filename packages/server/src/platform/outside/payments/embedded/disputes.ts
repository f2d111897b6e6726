import { randomText } from '../../../ids.ts'
import { PaymentsFailure } from '../payments.ts'
import { disputeThing, record } from './events.ts'
import { openIntent } from './intents.ts'
import { missing } from './people.ts'
import type { Desk } from './request.ts'
import * as store from './store.intents.ts'

/** The card holder tells the bank that the charge was none of theirs. */
export async function openDispute(desk: Desk, intent: string, amount_cents: number): Promise<{ id: string }> {
  const { captured_cents } = await openIntent(desk, intent)
  if (amount_cents < 1 || amount_cents > captured_cents) {
    throw new PaymentsFailure('invalid', 'A dispute is about money that was taken.', { intent })
  }
  const row = { id: `dp_${randomText(24)}`, intent, amount_cents, status: 'open' } as const
  await store.insertDispute(desk.tx, row, desk.now)
  await record(desk, 'charge.dispute.created', disputeThing(row))
  return { id: row.id }
}

/** The bank has decided; once. */
export async function closeDispute(desk: Desk, id: string, status: 'won' | 'lost'): Promise<void> {
  const row = await store.lockDispute(desk.tx, id)
  if (!row) throw missing('dispute')
  if (row.status !== 'open') throw new PaymentsFailure('invalid', `The dispute was ${row.status}.`)
  const closed = { ...row, status }
  await store.saveDispute(desk.tx, closed)
  await record(desk, 'charge.dispute.closed', disputeThing(closed))
}
