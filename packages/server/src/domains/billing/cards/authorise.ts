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

/** An unfinished authorisation is voided after this time; 50 minutes, so that voiding happens within the hour. */
const patience_ms = 50 * 60_000

/** The task that captures or voids an authorisation, depending on the state of its row. */
export const finishCardTask = 'billing.finish-card'

/**
 * Authorises an amount on a card before the hold is written. A retry with the same idempotency key continues the pending
 * authorisation. Throws `payment-declined` and deletes the authorisation, or throws `payment-action-required` and keeps
 * it until the cardholder completes the challenge.
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

/** The pending authorisation of an earlier attempt of this call; null if it was voided or is for another amount. */
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

/** The payment intent of an authorisation. The idempotency key makes the processor repeat a lost response. */
const ask = (call: Call, row: AuthorisationRow): Promise<Intent> =>
  askIntent(call.outside.payments, row.intent, () => chargeTerms(call, row), keyOf(row))

/** The charge request of an authorisation. */
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

/** After a decline: deletes the authorisation and makes the idempotency key usable again. */
async function forget(call: Call, row: AuthorisationRow, problem: Problem): Promise<void> {
  await call.transaction(async (tx) => {
    await deleteUnheld(tx, call.organization, row.id)
    await removeDeadline(tx, call.organization, 'authorisation-abandoned', row.id)
    await call.claim?.reach(tx, refusedPoint, refusedData(problem))
  })
}

/** Links an authorisation to the hold it pays for, in the transaction of the hold. */
export async function adopt(tx: Tx, actor: Actor, row: AuthorisationRow, hold_id: string): Promise<void> {
  const now = actor.clock.now()
  const from = ['starting', 'action'] as const
  const adopted = await changeAuthorisation(tx, actor.organization, row.id, from, { state: 'authorised', hold_id }, now)
  if (!adopted) throw declined('expired')
  await removeDeadline(tx, actor.organization, 'authorisation-abandoned', row.id)
  if (row.capture_before) await scheduleEnd(tx, actor, row.id, hold_id, row.capture_before)
}

const day_ms = 86_400_000

/** Schedules the reauthorisation before the authorisation expires, and the expiry of the hold no later than that. */
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

/** Voids an authorisation whose hold was not created; one that is linked to a hold is left unchanged. */
export async function abandon(call: Call, id: string): Promise<void> {
  await call.transaction(async (tx) => {
    await giveUp(tx, call, id)
    await call.claim?.reach(tx, 'claimed', {})
  })
}

/** Voids an authorisation that is not linked to a hold, in the caller's transaction. */
export async function giveUp(tx: Tx, actor: Actor, id: string): Promise<void> {
  const now = actor.clock.now()
  const row = await changeAuthorisation(tx, actor.organization, id, ['starting', 'action'], { state: 'voiding' }, now)
  await removeDeadline(tx, actor.organization, 'authorisation-abandoned', id)
  if (row) await finishLater(tx, actor, id)
}

export const finishLater = (tx: Tx, actor: Actor, id: string): Promise<void> =>
  actor.queue.enqueue(tx, finishCardTask, { organization_id: actor.organization, authorisation_id: id })
