import { day_ms } from '@swath/geo/time-units.ts'
import type { ProblemName } from '@swath/contract/problems.ts'
import type { PurchaseCall } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import type { OrganizationTime } from '../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import type { Actor } from '../../engine/actor.ts'
import type { HoldPaymentMethodClass } from '../ledger/accounts.ts'
import { flushLedgerSession, openLedgerSession, type LedgerReference } from '../ledger/ledger-session.ts'
import { addCreditHold, releaseHold, settleHold, type HoldChargeLine, type HoldOptions } from '../ledger/holds.ts'
import { findCreditHold } from '../ledger/store.holds.ts'
import { readWalletBalance } from '../ledger/ledger.ts'
import { findOrganization } from '../organizations/store.ts'
import { findChargeableCard, type ChargeableCard } from '../payment_methods/cards.ts'
import {
  abandonCardAuthorisation,
  attachCardAuthorisationToHold,
  authoriseCard,
} from '../card-payments/authorise-card.ts'
import { enqueueCardCaptureOrVoid } from '../card-payments/enqueue-card-capture.ts'
import { requirePrincipalSpendLimits } from './spend-limits.ts'
import { requireCanSpend } from './account-status.ts'
import { requireWithinMaxCredits } from './max-credits.ts'
import { isCardOnlyOrganization, type CardAuthorisationRow } from '../card-payments/store.authorisations.ts'

export interface PaymentRequest {
  readonly amount_credits: number
  /** The type of the paid object: `order`, `job`. */
  readonly subject: string
  /** The charge lines; their amounts must sum to `amount_credits`. */
  readonly lines?: readonly HoldChargeLine[]
  /** The most that the caller accepts; null or absent: any price. */
  readonly max_credits?: number | null
  /** The lifetime of the hold in days; default: 30. */
  readonly lifetime_days?: number
  /** The id of a paid object that exists already; default: a new id. */
  readonly reference_id?: string
}

export interface PaymentReservation {
  /** Null if the amount is zero. */
  readonly hold_id: string | null
  readonly billing_mode: HoldPaymentMethodClass
  /** The reference of the hold; the paid object must be created with this id. */
  readonly reference: LedgerReference
}

/** Runs in the transaction of the reservation. */
type PaymentEffect<T> = (tx: Tx, reservation: PaymentReservation) => Promise<T>

const noEffect: PaymentEffect<void> = async () => undefined

/**
 * Every payment goes through this function: it writes the paid object and the hold for its price in one transaction. The
 * hold comes last, because it locks the ledger until the commit. The caller does not choose the payment source. Throws
 * `past-due`, `spend-limit-exceeded`, `insufficient-credits`, `payment-declined` or `payment-action-required`; then
 * nothing is written, and if `effect` fails, its card authorisation is voided. A dry run asks no card.
 *
 * @param effect writes the paid object, before the hold exists.
 * @param afterHold runs after the hold is written.
 */
export const runWithReservedPayment = <T>(
  call: PurchaseCall,
  request: PaymentRequest,
  effect: PaymentEffect<T>,
  afterHold: PaymentEffect<void> = noEffect,
): Promise<T> =>
  runWithReservedPayments(
    call,
    { requests: [request], max_credits: request.max_credits },
    (tx, [reservation]) => effect(tx, reservation!),
    (tx, [reservation]) => afterHold(tx, reservation!),
  )

/** Runs in the transaction of several reservations, in the order of the requests. */
type PaymentsEffect<T> = (tx: Tx, reservations: readonly PaymentReservation[]) => Promise<T>

/**
 * Several payments of one call, each with its own hold, all of them or none: see `runWithReservedPayment`. `max_credits` and the
 * payment source are those of the sum, spend limits of one order those of each.
 */
export async function runWithReservedPayments<T>(
  call: PurchaseCall,
  {
    requests,
    max_credits,
  }: { readonly requests: readonly PaymentRequest[]; readonly max_credits?: number | null | undefined },
  effect: PaymentsEffect<T>,
  afterHolds: PaymentsEffect<void> = async () => undefined,
): Promise<T> {
  const total_credits = requests.reduce((sum, { amount_credits }) => sum + amount_credits, 0)
  requireWithinMaxCredits(total_credits, max_credits)
  const source = await choosePaymentSource(call, total_credits)
  const cards = source.mode === 'card' && !call.isDryRun ? await authoriseCards(call, source.card, requests) : []
  const payments = requests.map((request, index) => ({
    request,
    mode: source.mode === 'card' && !isChargeable(request) ? ('credit' as const) : source.mode,
    card: cards[index] ?? null,
  }))
  try {
    return await runWithReservations(call, payments, effect, afterHolds)
  } catch (error) {
    await abandonAuthorisations(call, cards)
    throw error
  }
}

/** The authorisation of each payment; null for an amount that is too small for a card. */
async function authoriseCards(
  call: PurchaseCall,
  { card }: ChargeableCard,
  requests: readonly PaymentRequest[],
): Promise<(CardAuthorisationRow | null)[]> {
  const cards: (CardAuthorisationRow | null)[] = []
  try {
    for (const [position, request] of requests.entries()) {
      const { amount_credits, subject, reference_id } = request
      const requireSpendLimits = (tx: Tx, now: OrganizationTime) =>
        requirePrincipalSpendLimits(tx, call, { amount_credits, now, excludedAuthorisations: [] })
      const options = {
        payment_method_id: card.id,
        amount_credits,
        subject,
        reference_id,
        requireSpendLimits,
        position,
      }
      cards.push(isChargeable(request) ? await authoriseCard(call, options) : null)
    }
  } catch (error) {
    // After other errors, a retry with the same key continues with the authorisations that were made.
    if (error instanceof Problem && finalProblems.has(error.problem)) await abandonAuthorisations(call, cards)
    throw error
  }
  return cards
}

/** Problems after which a card payment is not retried. */
const finalProblems: ReadonlySet<ProblemName> = new Set(['payment-declined', 'spend-limit-exceeded'])

async function abandonAuthorisations(
  call: PurchaseCall,
  cards: readonly (CardAuthorisationRow | null)[],
): Promise<void> {
  for (const card of cards) if (card) await abandonCardAuthorisation(call, card.id)
}

/** The minimum card charge of payment processors. */
const min_card_charge_credits = 50

const isChargeable = ({ amount_credits }: PaymentRequest): boolean => amount_credits >= min_card_charge_credits

type PaymentSource =
  | { readonly mode: 'credit' | 'enterprise' }
  | { readonly mode: 'card'; readonly card: ChargeableCard }

/**
 * Enterprise organizations are invoiced. If the wallet does not cover the amount, organizations on the free plan, and
 * those that have paid by card and never bought credits, pay by card; all others pay by credits.
 */
async function choosePaymentSource(call: PurchaseCall, amount_credits: number): Promise<PaymentSource> {
  const { db, organization } = call
  const organizationRow = await findOrganization(db, organization)
  if (organizationRow) requireCanSpend(organizationRow.status)
  if (organizationRow?.enterprise_billing) return { mode: 'enterprise' }
  if (amount_credits < min_card_charge_credits) return { mode: 'credit' }
  const paysByCard =
    organizationRow?.plan === 'free' ||
    (organizationRow?.plan === 'prepaid' && (await isCardOnlyOrganization(db, organization)))
  if (!paysByCard) return { mode: 'credit' }
  const { available_credits } = await readWalletBalance(db, organization, call.clock.now())
  if (available_credits >= amount_credits) return { mode: 'credit' }
  const card = await findChargeableCard(db, organization, call.integrations.payments)
  return card ? { mode: 'card', card } : { mode: 'credit' }
}

/** A payment without lines gets a single line, so that every charge can be explained and invoiced. */
const singleLine = ({ subject, amount_credits }: PaymentRequest, now: OrganizationTime): HoldChargeLine => ({
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

const default_hold_days = 30

interface SourcedPayment {
  readonly request: PaymentRequest
  readonly mode: HoldPaymentMethodClass
  readonly card: CardAuthorisationRow | null
}

function runWithReservations<T>(
  call: PurchaseCall,
  payments: readonly SourcedPayment[],
  effect: PaymentsEffect<T>,
  afterHolds: PaymentsEffect<void>,
): Promise<T> {
  const reservations = payments.map(({ request, mode, card }): PaymentReservation => ({
    hold_id: request.amount_credits === 0 ? null : newId(),
    billing_mode: mode,
    reference: { type: request.subject, id: card?.reference_id ?? request.reference_id ?? newId() },
  }))
  return call.transaction(async (tx) => {
    const result = await effect(tx, reservations)
    for (const [index, { request, mode, card }] of payments.entries()) {
      const { hold_id, reference } = reservations[index]!
      if (hold_id !== null) await writeHold(tx, call, { request, hold: { id: hold_id, mode, reference }, card })
    }
    await afterHolds(tx, reservations)
    return result
  })
}

async function writeHold(
  tx: Tx,
  actor: Actor,
  {
    request,
    hold,
    card,
  }: {
    readonly request: PaymentRequest
    readonly hold: Pick<HoldOptions, 'reference'> & { readonly id: string; readonly mode: HoldPaymentMethodClass }
    readonly card: CardAuthorisationRow | null
  },
): Promise<void> {
  const { amount_credits, lifetime_days = default_hold_days } = request
  const ledger = await openLedgerSession(tx, actor)
  const excludedAuthorisations = card ? [card.id] : []
  await requirePrincipalSpendLimits(tx, actor, { amount_credits, now: ledger.now, excludedAuthorisations })
  const expires_at = new Date(ledger.now.getTime() + lifetime_days * day_ms)
  const lines = request.lines ?? [singleLine(request, ledger.now)]
  addCreditHold(ledger, { ...hold, amount_credits, expires_at, lines })
  await flushLedgerSession(ledger)
  if (card) await attachCardAuthorisationToHold(tx, actor, card.id, hold.id)
}

/** Captures the delivered amount and releases the rest. `lines` names the delivered charge lines. */
export async function capturePaymentHold(
  tx: Tx,
  actor: Actor,
  {
    hold_id,
    amount_credits,
    lines,
  }: { readonly hold_id: string | null; readonly amount_credits: number; readonly lines?: readonly number[] },
): Promise<void> {
  if (hold_id === null) return
  await enqueueCardCaptureOrVoid(
    tx,
    actor,
    await settleHold(tx, actor, { hold_id, amount_credits, lines }),
    amount_credits,
  )
}

/** Releases the whole hold after the work was cancelled or failed; does nothing if it was already released or expired. */
export async function releasePaymentHold(tx: Tx, actor: Actor, hold_id: string | null): Promise<void> {
  if (hold_id === null || (await isReleasedHold(tx, actor.organization, hold_id))) return
  await enqueueCardCaptureOrVoid(tx, actor, await releaseHold(tx, actor, hold_id), 0)
}

/** True for a hold that was released or has expired. */
export async function isReleasedHold(db: SqlStatementRunner, organization: string, hold_id: string): Promise<boolean> {
  const { outcome } = (await findCreditHold(db, organization, hold_id)) ?? {}
  return outcome === 'expired' || outcome === 'released'
}
