import type { Call } from '../../../engine/call.ts'
import { refusedData, refusedPoint } from '../../../engine/once.ts'
import { Problem } from '../../../engine/problem.ts'
import type { Tx } from '../../../platform/database/database.ts'
import type { ChargeTerms, Intent } from '../../../platform/outside/payments/payments.ts'
import { newId } from '../../../platform/ids.ts'
import type { Actor } from '../../events/emit.ts'
import { openBooks, type Reference } from '../../ledger/books.ts'
import type { ChargeableCard } from '../../payment_methods/cards.ts'
import { requireCapsOf } from '../member-caps.ts'
import { askIntent, termsOfCharge } from './charge-card.ts'
import { actionRequired, declined, isRefusal, paymentProblem } from './payment-problems.ts'
import {
  changeAuthorisation,
  deleteUnheld,
  findAuthorisation,
  insertAuthorisation,
  type AuthorisationRow,
} from './store.authorisations.ts'
import { putDeadline, removeDeadline } from '../store.deadlines.ts'

/** An attempt that nobody finishes is given back after this, with room to do it within the hour. */
const patience_ms = 50 * 60_000

/** The task that captures a card, or gives its authorisation back, whichever its row says. */
export const finishCardTask = 'billing.finish-card'

/**
 * Asks a card for an amount before anything is written that it pays for. A call that was sent again with its key goes
 * on with the attempt that it began. Throws `payment-declined`, and then nothing is left of the attempt; or
 * `payment-action-required`, and then the attempt waits for its card holder.
 */
export async function authorise(
  call: Call,
  chosen: ChargeableCard,
  amount_credits: number,
  subject: string,
): Promise<AuthorisationRow> {
  const begun = await resume(call, amount_credits)
  const row = begun ?? (await begin(call, chosen.card.id, amount_credits, { type: subject, id: newId() }))
  const intent = await ask(call, row).catch(async (error: unknown) => {
    const problem = paymentProblem(error)
    if (isRefusal(error) && problem instanceof Problem) await forget(call, row, problem)
    throw problem
  })
  if (intent.status === 'requires_capture') return keep(call, row, intent, 'starting')
  if (intent.status === 'requires_action') {
    await keep(call, row, intent, 'action')
    throw actionRequired(intent, call.baseUrl)
  }
  const problem = declined(intent.decline_code)
  await forget(call, row, problem)
  throw problem
}

/** The attempt of an earlier try of this call; one for another amount, or that was given back, counts no more. */
async function resume(call: Call, amount_credits: number): Promise<AuthorisationRow | null> {
  const id = call.claim?.data['authorisation_id']
  if (typeof id !== 'string') return null
  const row = await findAuthorisation(call.db, call.organization, id)
  if (!row || row.hold_id !== null || (row.state !== 'starting' && row.state !== 'action')) return null
  if (row.amount_credits === amount_credits) return row
  await abandon(call, row.id)
  return null
}

async function begin(
  call: Call,
  card: string,
  amount_credits: number,
  reference: Reference,
): Promise<AuthorisationRow> {
  const id = newId()
  const { user } = call.principal
  return call.transaction(async (tx) => {
    const { now } = await openBooks(tx, call)
    await requireCapsOf(tx, call, amount_credits, now, [])
    await insertAuthorisation(tx, call.organization, {
      id,
      user_id: user,
      payment_method_id: card,
      amount_credits,
      reference_type: reference.type,
      reference_id: reference.id,
      created_at: now,
    })
    const due_at = new Date(now.getTime() + patience_ms)
    await putDeadline(tx, call.organization, 'authorisation-abandoned', id, due_at)
    await call.claim?.reach(tx, 'payment_pending', { authorisation_id: id })
    return (await findAuthorisation(tx, call.organization, id))!
  })
}

/** The processor's word on an attempt. The key makes a lost answer come again. */
const ask = (call: Call, row: AuthorisationRow): Promise<Intent> =>
  askIntent(call.outside.payments, row.intent, () => chargeTerms(call, row), keyOf(row))

/** What the processor is asked of the card of an attempt. */
export const chargeTerms = (
  { db, organization }: Pick<Call, 'db' | 'organization'>,
  row: AuthorisationRow,
): Promise<ChargeTerms> =>
  termsOfCharge(db, organization, row.payment_method_id, {
    amount_cents: row.amount_credits,
    capture: 'manual',
    metadata: { organization_id: organization, authorisation_id: row.id },
  })

export const keyOf = (row: Pick<AuthorisationRow, 'id' | 'generation'>): string => `${row.id}:${row.generation}`

async function keep(
  call: Call,
  row: AuthorisationRow,
  intent: Intent,
  state: 'starting' | 'action',
): Promise<AuthorisationRow> {
  const change = { state, intent: intent.id, capture_before: intent.capture_before }
  const now = call.clock.now()
  const kept = await changeAuthorisation(call.db, call.organization, row.id, ['starting', 'action'], change, now)
  if (!kept) throw declined('expired')
  return kept
}

/** The card said no: nothing is left of the attempt, and the key is as free as before. */
async function forget(call: Call, row: AuthorisationRow, problem: Problem): Promise<void> {
  await call.transaction(async (tx) => {
    await deleteUnheld(tx, call.organization, row.id)
    await removeDeadline(tx, call.organization, 'authorisation-abandoned', row.id)
    await call.claim?.reach(tx, refusedPoint, refusedData(problem))
  })
}

/** Ties an authorisation to the hold that it pays for, in the transaction of the hold. */
export async function adopt(tx: Tx, actor: Actor, row: AuthorisationRow, hold_id: string): Promise<void> {
  const now = actor.clock.now()
  const from = ['starting', 'action'] as const
  const adopted = await changeAuthorisation(tx, actor.organization, row.id, from, { state: 'authorised', hold_id }, now)
  if (!adopted) throw declined('expired')
  await removeDeadline(tx, actor.organization, 'authorisation-abandoned', row.id)
  if (row.capture_before) await scheduleEnd(tx, actor, row.id, hold_id, row.capture_before)
}

const day_ms = 86_400_000

/** A card is asked anew well before its authorisation ends, and its hold never outlives it. */
export async function scheduleEnd(
  tx: Tx,
  actor: Actor,
  authorisation: string,
  hold_id: string,
  capture_before: Date,
): Promise<void> {
  const left_ms = capture_before.getTime() - actor.clock.now().getTime()
  const margin_ms = Math.min(day_ms, left_ms / 2)
  const renew_at = new Date(capture_before.getTime() - margin_ms)
  await putDeadline(tx, actor.organization, 'card-renewal', authorisation, renew_at)
  await putDeadline(tx, actor.organization, 'hold-expiry', hold_id, capture_before)
}

/** What was authorised for nothing goes back: what it was for did not come to be. One that pays for a hold stays. */
export async function abandon(call: Call, id: string): Promise<void> {
  await call.transaction(async (tx) => {
    await giveUp(tx, call, id)
    await call.claim?.reach(tx, 'claimed', {})
  })
}

/** The same by the clock: nobody came back for it. */
export async function giveUp(tx: Tx, actor: Actor, id: string): Promise<void> {
  const now = actor.clock.now()
  const row = await changeAuthorisation(tx, actor.organization, id, ['starting', 'action'], { state: 'voiding' }, now)
  await removeDeadline(tx, actor.organization, 'authorisation-abandoned', id)
  if (row) await finishLater(tx, actor, id)
}

export const finishLater = (tx: Tx, actor: Actor, id: string): Promise<void> =>
  actor.queue.enqueue(tx, finishCardTask, { organization_id: actor.organization, authorisation_id: id })
