import { actorOf, type Job } from '../../../engine/task.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { PaymentsFailure, type Intent } from '../../../platform/outside/payments/payments.ts'
import { emit, type Actor } from '../../events/emit.ts'
import { closeBooks, openBooks } from '../../ledger/books.ts'
import { chargeTerms, keyOf, scheduleEnd } from './authorise.ts'
import { recoverIntent } from './charge-card.ts'
import { isRefusal } from './payment-problems.ts'
import { cardReceiptIn } from '../documents/card-receipt.ts'
import type { Issuer } from '../documents/issue-document.ts'
import { changeAuthorisation, findAuthorisation, type AuthorisationRow } from './store.authorisations.ts'

/** The task that cancels one payment intent at the processor. */
export const voidIntentTask = 'billing.void-intent'

const terms = (job: Job, organization: string, row: AuthorisationRow) =>
  chargeTerms({ db: job.database.of(organization), organization }, row)

/** The intent of an authorisation whose response may have been lost; null if the card was declined and there is none. */
async function intentOf(job: Job, organization: string, row: AuthorisationRow): Promise<string | null> {
  if (row.intent !== null) return row.intent
  return recoverIntent(job.outside.payments, await terms(job, organization, row), keyOf(row))
}

/** Captures or voids at the processor, according to the state of the row. Idempotent. */
export async function finishCardPayment(job: Job, organization: string, id: string): Promise<void> {
  const db = job.database.of(organization)
  const row = await findAuthorisation(db, organization, id)
  if (row?.state !== 'capturing' && row?.state !== 'voiding') return
  const intent = await intentOf(job, organization, row)
  const { payments } = job.outside
  const taking = row.state === 'capturing'
  if (intent !== null) {
    if (taking) await capture(job, organization, row, intent)
    else await payments.cancel(intent, `${row.id}:void`)
  }
  const change = { state: taking ? ('captured' as const) : ('voided' as const), ...(intent ? { intent } : {}) }
  await db.transaction((tx) => noteEnd(tx, actorOf(job, organization), row, change))
}

/** Records the capture or void; a capture gets its receipt in the same transaction. */
async function noteEnd(
  tx: Tx,
  actor: Issuer,
  row: AuthorisationRow,
  change: { readonly state: 'captured' | 'voided'; readonly intent?: string },
): Promise<void> {
  const books = await openBooks(tx, actor)
  const ended = await changeAuthorisation(tx, actor.organization, row.id, [row.state], change, books.now)
  if (ended?.state === 'captured') await cardReceiptIn(books, actor.seller, ended)
  await closeBooks(books)
}

/** Captures the amount; if the authorisation has unexpectedly expired, charges the card again. */
async function capture(job: Job, organization: string, row: AuthorisationRow, intent: string): Promise<void> {
  const { payments } = job.outside
  try {
    await payments.capture(intent, row.captured_credits, `${row.id}:capture`)
  } catch (error) {
    if (!(error instanceof PaymentsFailure) || error.code !== 'capture_expired') throw error
    const { customer, payment_method, metadata } = await terms(job, organization, row)
    const late = {
      customer,
      payment_method,
      metadata,
      amount_cents: row.captured_credits,
      capture: 'automatic' as const,
    }
    const charged = await payments.charge(late, `${row.id}:late`)
    if (charged.status !== 'succeeded') throw error
  }
}

/**
 * Authorises the card again before its authorisation expires. If the bank declines, emits `hold.ending`, so that the
 * work it pays for stops before delivery.
 */
export async function renewCardPayment(job: Job, organization: string, id: string): Promise<void> {
  const db = job.database.of(organization)
  const actor = actorOf(job, organization)
  const row = await findAuthorisation(db, organization, id)
  if (row?.state !== 'authorised' || row.hold_id === null) return
  const next = { id: row.id, generation: row.generation + 1 }
  const intent = await askAgain(job, organization, row, keyOf(next))
  await db.transaction((tx) =>
    intent?.status === 'requires_capture'
      ? takeOver(tx, actor, row, next.generation, intent)
      : endHold(tx, actor, row, intent),
  )
}

async function askAgain(job: Job, organization: string, row: AuthorisationRow, key: string): Promise<Intent | null> {
  try {
    return await job.outside.payments.charge(await terms(job, organization, row), key)
  } catch (error) {
    if (isRefusal(error)) return null
    throw error
  }
}

async function takeOver(
  tx: Tx,
  actor: Actor,
  row: AuthorisationRow,
  generation: number,
  { id: intent, capture_before }: Intent,
): Promise<void> {
  const now = actor.clock.now()
  const change = { generation, intent, capture_before }
  const taken = await changeAuthorisation(tx, actor.organization, row.id, ['authorised'], change, now)
  // The hold was settled or released in the meantime with the old intent, so the new one is not needed.
  await voidLater(tx, actor, taken ? row.intent : intent)
  if (taken?.hold_id && capture_before) await scheduleEnd(tx, actor, row.id, taken.hold_id, capture_before)
}

async function endHold(tx: Tx, actor: Actor, row: AuthorisationRow, intent: Intent | null): Promise<void> {
  await voidLater(tx, actor, intent?.id ?? null)
  const data = { reference_type: row.reference_type, reason: 'The card could not be authorised again.' }
  await emit(tx, actor, { kind: 'hold.ending', entity_type: row.reference_type, entity_id: row.reference_id, data })
}

async function voidLater(tx: Tx, actor: Actor, intent: string | null): Promise<void> {
  if (intent === null) return
  await actor.queue.enqueue(tx, voidIntentTask, { organization_id: actor.organization, intent })
}
