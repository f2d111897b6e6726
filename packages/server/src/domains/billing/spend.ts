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
  /** What kind of thing is paid for: `order`, `job`. */
  readonly subject: string
  /** How the amount comes about; their amounts sum to it. */
  readonly lines?: readonly ChargeLine[]
  /** How long the hold may be kept, in days; 30 when left out. */
  readonly days?: number
}

export interface Reservation {
  /** Null where nothing was to be held. */
  readonly hold_id: string | null
  readonly billing_mode: Mode
  /** The id that the thing which is paid for has to take. */
  readonly reference: Reference
}

/** What is done in the transaction of the reservation. */
type Effect<T> = (tx: Tx, paid: Reservation) => Promise<T>

const nothing: Effect<void> = async () => undefined

/**
 * The one door through which anything is paid: writes what is paid for and reserves its price in the same transaction.
 * The price comes last, since all who spend from a wallet wait for each other from then on until the commit. Who asks
 * never learns how it is paid. Throws `past-due`, `spend-limit-exceeded`, `insufficient-credits`, `payment-declined` or
 * `payment-action-required`; then nothing was written, and no card is left asked for an effect that failed.
 *
 * @param effect writes what is paid for; the hold is not there yet.
 * @param afterwards works with the hold.
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

/** Processors charge no card for less than 50 cents. */
const smallestCharge_credits = 50

type Way = { readonly mode: 'credit' | 'enterprise' } | { readonly mode: 'card'; readonly card: ChargeableCard }

/**
 * Enterprises are invoiced; where the wallet does not reach, a free organization, and one that has paid by card and never bought
 * credits, pays by its card; everybody else by credits.
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

/** What is priced as a whole is one line, so that every charge can be explained and invoiced. */
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

/** Charges what was delivered and gives the rest back. `lines` names the lines of the price that were delivered. */
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

/** Gives everything back: the work was cancelled or failed. What came back by itself already stays so. */
export async function releaseSpend(tx: Tx, actor: Actor, hold_id: string | null): Promise<void> {
  if (hold_id === null || (await endedUnpaid(tx, actor.organization, hold_id))) return
  await finishCard(tx, actor, await release(tx, actor, hold_id), 0)
}

/** True for a hold that has ended and charged nothing. */
export async function endedUnpaid(db: Queryable, organization: string, hold_id: string): Promise<boolean> {
  const { outcome } = (await findHold(db, organization, hold_id)) ?? {}
  return outcome === 'expired' || outcome === 'released'
}

/** A card's hold has ended in the books; what the processor has to do about it follows the commit. */
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
