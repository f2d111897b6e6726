import { post, Said, tell, type Books, type PublishedCard, type Topup } from './wallet.ts'

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

type Of<Do extends TopupCommand['do']> = Extract<TopupCommand, { readonly do: Do }>
type At = { readonly at: number }

const patience_ms = 50 * 60_000

export const topupRules: {
  readonly [Do in TopupCommand['do']]: (books: Books, command: Of<Do> & At) => unknown
} = {
  'top up'(books, { name, card, amount, lost, at }) {
    books.claims.set(name, { card, amount, topup: name })
    return begin(books, name, name, lost, at)
  },
  'top up again'(books, { claim, name, at }) {
    const { topup } = books.claims.get(claim)!
    return topup === null ? begin(books, name, claim, false, at) : goOn(books, topup, claim)
  },
  challenge(books, { topup: name, passes }) {
    const topup = books.topups.get(name)!
    if (topup.theirs !== 'requires_action') return shown[topup.theirs]
    const theirs = passes ? 'succeeded' : 'requires_payment_method'
    books.topups.set(name, { ...topup, theirs, decline: passes ? topup.decline : 'authentication_failed' })
    return shown[theirs]
  },
  hear(books, { topup: name }) {
    const topup = books.topups.get(name)
    if (!topup) return
    const { theirs, decline } = topup
    if (theirs === 'succeeded') finish(books, name)
    if (theirs === 'canceled') fail(books, name, decline ?? 'canceled')
    if (theirs === 'requires_payment_method' && fail(books, name, decline!)) close(books, name)
  },
  close: (books, { topup }) => close(books, topup),
}

/** The state shown by the challenge page. */
const shown: Readonly<Record<Exclude<Topup['theirs'], 'requires_action'>, string>> = {
  succeeded: 'completed',
  requires_payment_method: 'failed',
  canceled: 'over',
}

const verdicts: Readonly<Record<PublishedCard, Pick<Topup, 'theirs' | 'decline'>>> = {
  good: { theirs: 'succeeded', decline: null },
  declined: { theirs: 'requires_payment_method', decline: 'card_declined' },
  '3ds': { theirs: 'requires_action', decline: null },
}

function begin(books: Books, name: string, claim: string, lost: boolean, at: number): unknown {
  const { card, amount } = books.claims.get(claim)!
  books.topups.set(name, { amount, ours: 'starting', code: null, ...verdicts[card] })
  books.claims.set(claim, { card, amount, topup: name })
  books.due.set(`topup-abandoned ${name}`, at + patience_ms)
  return lost && card !== 'declined' ? new Said({ refused: 'upstream' }) : goOn(books, name, claim)
}

/** Continues with the state of the processor, unless the top-up has ended. */
function goOn(books: Books, name: string, claim: string): unknown {
  const { ours, theirs, code, decline } = books.topups.get(name)!
  if (ours === 'succeeded') return ours
  if (ours === 'failed') return refuse(books, claim, code)
  if (theirs === 'succeeded') return finish(books, name)
  if (theirs === 'requires_action') {
    books.topups.set(name, { ...books.topups.get(name)!, ours: 'action' })
    return new Said({ refused: 'payment-action-required' })
  }
  fail(books, name, decline ?? theirs)
  close(books, name)
  return refuse(books, claim, decline)
}

/** Releases the idempotency key. */
function refuse(books: Books, claim: string, decline_code: string | null): Said {
  books.claims.set(claim, { ...books.claims.get(claim)!, topup: null })
  return new Said({ refused: 'payment-declined', decline_code })
}

/** Grants the paid credits once and posts the tax. */
function finish(books: Books, name: string): 'succeeded' {
  const topup = books.topups.get(name)!
  if (topup.ours === 'succeeded') return 'succeeded'
  const { amount } = topup
  const none = { held: 0, captured: 0, expired: 0, refunded: 0 }
  books.lots.set(`paid:${name}`, {
    kind: 'purchase',
    priority: 50,
    ends: null,
    at: books.now,
    available: amount,
    ...none,
  })
  post(books, 'purchase', amount, amount, 'stripe.clearing', 'wallet.available')
  // One eleventh; because eleven is odd, there is no tie in rounding.
  const tax = Math.round(amount / 11)
  post(books, 'tax', -tax, tax, 'revenue', 'tax')
  books.topups.set(name, { ...topup, ours: 'succeeded', code: null })
  books.due.delete(`topup-abandoned ${name}`)
  tell(books, 'topup.succeeded')
  tell(books, 'credits.purchased')
  return 'succeeded'
}

/** Returns false if it has ended already. */
function fail(books: Books, name: string, code: string): boolean {
  const topup = books.topups.get(name)!
  if (topup.ours !== 'starting' && topup.ours !== 'action') return false
  books.topups.set(name, { ...topup, ours: 'failed', code })
  books.due.delete(`topup-abandoned ${name}`)
  tell(books, 'topup.failed')
  return true
}

/** Closes an abandoned top-up: grants a paid one, cancels any other. */
function close(books: Books, name: string): void {
  const topup = books.topups.get(name)!
  if (topup.ours === 'succeeded') return
  if (topup.theirs === 'succeeded') return void finish(books, name)
  books.topups.set(name, { ...topup, theirs: 'canceled' })
  fail(books, name, 'abandoned')
}
