import { limitExceeded, limitsOf, requireWindowLimit, window_ms } from './model-holds.ts'
import {
  addEntry,
  RecordedRefusal,
  publish,
  type WalletSession,
  type PublishedCard,
  type ModelTopup,
} from './wallet.ts'

/** Commands of callers, card holders and the payment processor on top-ups. */
export type TopupCommand =
  /** `lost`: the processor's response does not arrive. `claim` is the idempotency key of the call. */
  | {
      readonly do: 'top up'
      readonly name: string
      readonly card: PublishedCard
      readonly amount: number
      readonly lost: boolean
    }
  /** Repeats the call with its key; `name` is for the new top-up if the key is free again. */
  | { readonly do: 'top up again'; readonly name: string; readonly claim: string }
  /** The card holder completes or fails the challenge. */
  | { readonly do: 'challenge'; readonly topup: string; readonly passes: boolean }
  /** All webhook events of a top-up are received, in some order, and once more. */
  | { readonly do: 'hear'; readonly topup: string; readonly turn: number }
  /** The top-up is abandoned, or it failed and could still be paid. */
  | { readonly do: 'close'; readonly topup: string }

type TopupCommandOf<Do extends TopupCommand['do']> = Extract<TopupCommand, { readonly do: Do }>
type Timed = { readonly at: number }

const abandon_after_ms = 50 * 60_000

export const topupTransitions: {
  readonly [Do in TopupCommand['do']]: (session: WalletSession, command: TopupCommandOf<Do> & Timed) => unknown
} = {
  'top up'(session, { name, card, amount, lost, at }) {
    session.claims.set(name, { card, amount, topup: name })
    return startTopup(session, { name, claim: name, lost, at })
  },
  'top up again'(session, { claim, name, at }) {
    const { topup } = session.claims.get(claim)!
    return topup === null ? startTopup(session, { name, claim, lost: false, at }) : continueTopup(session, topup, claim)
  },
  challenge(session, { topup: name, passes }) {
    const topup = session.topups.get(name)!
    if (topup.theirs !== 'requires_action') return pageStates[topup.theirs]
    const theirs = passes ? 'succeeded' : 'requires_payment_method'
    session.topups.set(name, { ...topup, theirs, decline: passes ? topup.decline : 'authentication_failed' })
    return pageStates[theirs]
  },
  hear(session, { topup: name }) {
    const topup = session.topups.get(name)
    if (!topup) return
    const { theirs, decline } = topup
    if (theirs === 'succeeded') completeTopup(session, name)
    if (theirs === 'canceled') failTopup(session, name, decline ?? 'canceled')
    if (theirs === 'requires_payment_method' && failTopup(session, name, decline!)) closeTopup(session, name)
  },
  close: (session, { topup }) => closeTopup(session, topup),
}

/** The state shown by the challenge page. */
const pageStates: Readonly<Record<Exclude<ModelTopup['theirs'], 'requires_action'>, string>> = {
  succeeded: 'completed',
  requires_payment_method: 'failed',
  canceled: 'over',
}

const cardOutcomes: Readonly<Record<PublishedCard, Pick<ModelTopup, 'theirs' | 'decline'>>> = {
  good: { theirs: 'succeeded', decline: null },
  declined: { theirs: 'requires_payment_method', decline: 'card_declined' },
  '3ds': { theirs: 'requires_action', decline: null },
}

function startTopup(
  session: WalletSession,
  { name, claim, lost, at }: { name: string; claim: string; lost: boolean; at: number },
): unknown {
  const { card, amount } = session.claims.get(claim)!
  requireTopupLimits(session, amount)
  session.topups.set(name, { amount, at, ours: 'starting', code: null, ...cardOutcomes[card] })
  session.claims.set(claim, { card, amount, topup: name })
  session.due.set(`topup-abandoned ${name}`, at + abandon_after_ms)
  return lost && card !== 'declined'
    ? new RecordedRefusal({ refused: 'upstream' })
    : continueTopup(session, name, claim)
}

/** The member who tops up. */
const buyer = 0

/**
 * Refuses a purchase beyond a limit of the member; what was bought and what was spent do not add up. The daily limit of the
 * organization is larger than the top-ups of a whole history.
 */
function requireTopupLimits(session: WalletSession, requested: number): void {
  const { per_order } = limitsOf(session, buyer)
  if (per_order !== null && requested > per_order) throw limitExceeded(per_order, [], requested)
  const entries = [...session.topups.values()]
    .filter(({ ours, at }) => ours !== 'failed' && at > session.now - window_ms)
    .map(({ at, amount }) => [at, amount] as const)
    .toSorted(([a], [b]) => a - b)
  requireWindowLimit(session, buyer, { entries, requested })
}

/** Continues with the state of the processor, unless the top-up has ended. */
function continueTopup(session: WalletSession, name: string, claim: string): unknown {
  const { ours, theirs, code, decline } = session.topups.get(name)!
  if (ours === 'succeeded') return ours
  if (ours === 'failed') return releaseClaim(session, claim, code)
  if (theirs === 'succeeded') return completeTopup(session, name)
  if (theirs === 'requires_action') {
    session.topups.set(name, { ...session.topups.get(name)!, ours: 'action' })
    return new RecordedRefusal({ refused: 'payment-action-required' })
  }
  failTopup(session, name, decline ?? theirs)
  closeTopup(session, name)
  return releaseClaim(session, claim, decline)
}

/** Releases the idempotency key. */
function releaseClaim(session: WalletSession, claim: string, decline_code: string | null): RecordedRefusal {
  session.claims.set(claim, { ...session.claims.get(claim)!, topup: null })
  return new RecordedRefusal({ refused: 'payment-declined', decline_code })
}

/** Grants the paid credits once and posts the tax. */
function completeTopup(session: WalletSession, name: string): 'succeeded' {
  const topup = session.topups.get(name)!
  if (topup.ours === 'succeeded') return 'succeeded'
  const { amount } = topup
  const none = { held: 0, captured: 0, expired: 0, refunded: 0 }
  session.lots.set(`paid:${name}`, {
    kind: 'purchase',
    priority: 50,
    expiresAt: null,
    at: session.now,
    available: amount,
    ...none,
  })
  addEntry(session, { kind: 'purchase', amount, moved: amount, from: 'stripe.clearing', to: 'wallet.available' })
  // One eleventh; because eleven is odd, there is no tie in rounding.
  const tax = Math.round(amount / 11)
  addEntry(session, { kind: 'tax', amount: -tax, moved: tax, from: 'revenue', to: 'tax' })
  session.topups.set(name, { ...topup, ours: 'succeeded', code: null })
  session.due.delete(`topup-abandoned ${name}`)
  publish(session, 'topup.succeeded')
  publish(session, 'credits.purchased')
  return 'succeeded'
}

/** Returns false if it has ended already. */
function failTopup(session: WalletSession, name: string, code: string): boolean {
  const topup = session.topups.get(name)!
  if (topup.ours !== 'starting' && topup.ours !== 'action') return false
  session.topups.set(name, { ...topup, ours: 'failed', code })
  session.due.delete(`topup-abandoned ${name}`)
  publish(session, 'topup.failed')
  return true
}

/** Closes an abandoned top-up: grants a paid one, cancels any other. */
function closeTopup(session: WalletSession, name: string): void {
  const topup = session.topups.get(name)!
  if (topup.ours === 'succeeded') return
  if (topup.theirs === 'succeeded') return void completeTopup(session, name)
  session.topups.set(name, { ...topup, theirs: 'canceled' })
  failTopup(session, name, 'abandoned')
}
