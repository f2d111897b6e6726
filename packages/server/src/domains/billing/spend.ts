import type { Call } from '../../engine/call.ts'
import type { OrganizationTime } from '../../platform/clock.ts'
import type { Queryable, Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import type { Actor } from '../events/emit.ts'
import type { Mode } from '../ledger/accounts.ts'
import { closeBooks, openBooks, type Reference } from '../ledger/books.ts'
import { findHold, holdIn, release, settle, type ChargeLine, type HoldRow, type HoldTerms } from '../ledger/holds.ts'
import { balance } from '../ledger/ledger.ts'
import { endFreePlan } from '../organizations/change-plan.ts'
import { readOrganization } from '../organizations/organization.ts'
import { findChargeableCard, type ChargeableCard } from '../payment_methods/cards.ts'
import { abandon, adopt, authorise, finishLater } from './cards/authorise.ts'
import { requireCapsOf } from './member-caps.ts'
import { requireSpender } from './standing.ts'
import {
  changeAuthorisation,
  findAuthorisationOfHold,
  paysByCardOnly,
  type AuthorisationRow,
} from './cards/store.authorisations.ts'
import { removeDeadline } from './store.deadlines.ts'

export interface SpendTerms {
  readonly amount_credits: number
  /** The type of the paid object: `order`, `job`. */
  readonly subject: string
  /** The charge lines; their amounts must sum to `amount_credits`. */
  readonly lines?: readonly ChargeLine[]
  /** The lifetime of the hold in days; default: 30. */
  readonly days?: number
}

export interface Reservation {
  /** Null if the amount is zero. */
  readonly hold_id: string | null
  readonly billing_mode: Mode
  /** The reference of the hold; the paid object must be created with this id. */
  readonly reference: Reference
}

/** Runs in the transaction of the reservation. */
type Effect<T> = (tx: Tx, paid: Reservation) => Promise<T>

const nothing: Effect<void> = async () => undefined

/**
 * Every payment goes through this function: it writes the paid object and the hold for its price in one transaction. The
 * hold comes last, because it locks the ledger until the commit. The caller does not choose the payment source. Throws
 * `past-due`, `spend-limit-exceeded`, `insufficient-credits`, `payment-declined` or `payment-action-required`; then
 * nothing is written, and if `effect` fails, its card authorisation is voided.
 *
 * @param effect writes the paid object, before the hold exists.
 * @param afterHold runs after the hold is written.
 */
export async function spend<T>(
  call: Call,
  terms: SpendTerms,
  effect: Effect<T>,
  afterwards: Effect<void> = nothing,
): Promise<T> {
  const way = await chooseWay(call, terms.amount_credits)
  if (way.mode !== 'card') return reserving(call, terms, way.mode, null, effect, afterwards)
  const card = await authorise(call, way.card, terms.amount_credits, terms.subject)
  try {
    return await reserving(call, terms, 'card', card, effect, afterwards)
  } catch (error) {
    await abandon(call, card.id)
    throw error
  }
}

/** The minimum card charge of payment processors. */
const smallestCharge_credits = 50

type Way = { readonly mode: 'credit' | 'enterprise' } | { readonly mode: 'card'; readonly card: ChargeableCard }

/**
 * Enterprise organizations are invoiced. If the wallet does not cover the amount, organizations on the free plan, and
 * those that have paid by card and never bought credits, pay by card; all others pay by credits.
 */
async function chooseWay(call: Call, amount_credits: number): Promise<Way> {
  const { db, organization } = call
  const found = await readOrganization(db, organization)
  if (found) requireSpender(found.status)
  if (found?.enterprise_billing) return { mode: 'enterprise' }
  if (amount_credits < smallestCharge_credits) return { mode: 'credit' }
  const byCard = found?.plan === 'free' || (found?.plan === 'prepaid' && (await paysByCardOnly(db, organization)))
  if (!byCard) return { mode: 'credit' }
  const { available_credits } = await balance(db, organization, call.clock.now())
  if (available_credits >= amount_credits) return { mode: 'credit' }
  const card = await findChargeableCard(db, organization, call.outside.payments)
  return card ? { mode: 'card', card } : { mode: 'credit' }
}

/** A payment without lines gets a single line, so that every charge can be explained and invoiced. */
const wholeLine = ({ subject, amount_credits }: SpendTerms, now: OrganizationTime): ChargeLine => ({
  product: subject,
  description: subject,
  unit: subject,
  measured_quantity: '1',
  charged_quantity: '1',
  minimum_quantity: '0',
  list_rate_credits: String(amount_credits),
  rate_credits: String(amount_credits),
  priced_on: now.toISOString().slice(0, 10),
  discount_credits: 0,
  amount_credits,
  commitment_id: null,
})

const hold_days = 30
const day_ms = 86_400_000

function reserving<T>(
  call: Call,
  terms: SpendTerms,
  mode: Mode,
  card: AuthorisationRow | null,
  effect: Effect<T>,
  afterwards: Effect<void>,
): Promise<T> {
  const reference = { type: terms.subject, id: card?.reference_id ?? newId() }
  const hold_id = terms.amount_credits === 0 ? null : newId()
  return call.transaction(async (tx) => {
    const paid = { hold_id, billing_mode: mode, reference }
    const done = await effect(tx, paid)
    if (hold_id !== null) await reserve(tx, call, terms, { id: hold_id, mode, reference }, card)
    await afterwards(tx, paid)
    return done
  })
}

async function reserve(
  tx: Tx,
  actor: Actor,
  terms: SpendTerms,
  hold: Pick<HoldTerms, 'reference'> & { readonly id: string; readonly mode: Mode },
  card: AuthorisationRow | null,
): Promise<void> {
  const { amount_credits, days = hold_days } = terms
  const books = await openBooks(tx, actor)
  const without = card ? [card.id] : []
  await requireCapsOf(tx, actor, amount_credits, books.now, without)
  const expires_at = new Date(books.now.getTime() + days * day_ms)
  const lines = terms.lines ?? [wholeLine(terms, books.now)]
  holdIn(books, { ...hold, amount_credits, expires_at, lines })
  await closeBooks(books)
  if (card) await adopt(tx, actor, card, hold.id)
}

/** Captures the delivered amount and releases the rest. `lines` names the delivered charge lines. */
export async function settleSpend(
  tx: Tx,
  actor: Actor,
  hold_id: string | null,
  amount_credits: number,
  lines?: readonly number[],
): Promise<void> {
  if (hold_id === null) return
  await finishCard(tx, actor, await settle(tx, actor, hold_id, amount_credits, lines), amount_credits)
}

/** Releases the whole hold after the work was cancelled or failed; does nothing if it was already released or expired. */
export async function releaseSpend(tx: Tx, actor: Actor, hold_id: string | null): Promise<void> {
  if (hold_id === null || (await endedUnpaid(tx, actor.organization, hold_id))) return
  await finishCard(tx, actor, await release(tx, actor, hold_id), 0)
}

/** True for a hold that was released or has expired. */
export async function endedUnpaid(db: Queryable, organization: string, hold_id: string): Promise<boolean> {
  const { outcome } = (await findHold(db, organization, hold_id)) ?? {}
  return outcome === 'expired' || outcome === 'released'
}

/** After a card hold was resolved in the ledger: enqueues the capture or void at the processor. */
export async function finishCard(tx: Tx, actor: Actor, held: HoldRow, captured_credits: number): Promise<void> {
  if (held.mode !== 'card') return
  const row = await findAuthorisationOfHold(tx, actor.organization, held.id)
  if (!row) return
  const state = captured_credits > 0 ? 'capturing' : 'voiding'
  const now = actor.clock.now()
  await changeAuthorisation(tx, actor.organization, row.id, ['authorised'], { state, captured_credits }, now)
  await removeDeadline(tx, actor.organization, 'card-renewal', row.id)
  await finishLater(tx, actor, row.id)
  if (captured_credits > 0) await endFreePlan(tx, actor)
}
