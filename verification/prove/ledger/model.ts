import { requireSpendLimits, resolveHold, modes, listWindow } from './model-holds.ts'
import { topupTransitions, type TopupCommand } from './model-topups.ts'
import {
  balance,
  allocateFromLots,
  listSpendableLots,
  expireLot,
  expireDueLots,
  isExpired,
  moveCredits,
  addEntry,
  ModelRefusal,
  requireThat,
  RecordedRefusal,
  sum,
  publish,
  type WalletSession,
  type SpendLimits,
  type Mode,
  type CommandOutcome,
  type ModelWallet,
} from './wallet.ts'

export { window_ms } from './model-holds.ts'
export {
  emptyWallet,
  type CommandAnswer,
  type SpendLimits,
  type EntrySummary,
  type ModelHold,
  type ModelLot,
  type Mode,
  type CommandOutcome,
  type ModelWallet,
} from './wallet.ts'

/** A command with its time; names are those of lots, holds, top-ups or claims. */
export type Command = { readonly at: number } & (
  | {
      readonly do: 'grant'
      readonly name: string
      readonly kind: 'purchase' | 'grant_monthly'
      readonly amount: number
      readonly priority: number
      readonly expiresAt: number | null
    }
  | { readonly do: 'withdraw'; readonly amount: number }
  | {
      readonly do: 'hold'
      readonly name: string
      readonly mode: Mode
      readonly user: number | null
      readonly amount: number
      readonly lines: readonly number[]
      readonly expiresAt: number | null
    }
  /** `lines`: the delivered lines by number; null charges them in order. */
  | { readonly do: 'settle'; readonly hold: string; readonly amount: number; readonly lines: readonly number[] | null }
  | { readonly do: 'release' | 'expire'; readonly hold: string }
  /** Runs a deadline if it is due. */
  | { readonly do: 'meet'; readonly kind: string; readonly subject: string }
  | { readonly do: 'sweep' }
  /** Expires all lots of a kind early. */
  | { readonly do: 'revoke'; readonly kind: string }
  | { readonly do: 'cap'; readonly user: number; readonly caps: SpendLimits }
  | { readonly do: 'read' }
  | { readonly do: 'window'; readonly user: number }
  | TopupCommand
)

export type CommandOf<Do extends Command['do']> = Extract<Command, { readonly do: Do }>

const warning_ms = 7 * 24 * 3_600_000
const grace_ms = 3_600_000
const low_balance_credits = 500

/** Applies a command to a copy of the wallet; returns the new wallet and the outcome. */
export function applyCommand(wallet: ModelWallet, command: Command): { wallet: ModelWallet; outcome: CommandOutcome } {
  const session: WalletSession = {
    accounts: new Map(wallet.accounts),
    lots: new Map(wallet.lots),
    holds: new Map(wallet.holds),
    caps: new Map(wallet.caps),
    due: new Map(wallet.due),
    topups: new Map(wallet.topups),
    claims: new Map(wallet.claims),
    eventCounts: new Map(wallet.eventCounts),
    now: command.at,
    entries: [],
    publishedEvents: [],
  }
  try {
    const done =
      (transitions[command.do] as (session: WalletSession, command: Command) => unknown)(session, command) ?? null
    const answer = done instanceof RecordedRefusal ? done.answer : { done }
    const [before, after] = [balance(wallet, 'wallet.available'), balance(session, 'wallet.available')]
    if (before >= low_balance_credits && after < low_balance_credits) publish(session, 'credits.low_balance')
    if (before > 0 && after === 0) publish(session, 'credits.depleted')
    return { wallet: session, outcome: { answer, entries: session.entries, events: session.publishedEvents } }
  } catch (error) {
    if (!(error instanceof ModelRefusal)) throw error
    return { wallet, outcome: { answer: error.answer, entries: [], events: [] } }
  }
}

const transitions: { readonly [Do in Command['do']]: (session: WalletSession, command: CommandOf<Do>) => unknown } = {
  grant(session, { name, kind, amount, priority, expiresAt, at }) {
    requireThat(amount > 0, 'the amount of a grant must be a positive integer')
    const none = { held: 0, captured: 0, expired: 0, refunded: 0 }
    session.lots.set(name, { kind, priority, expiresAt, at, available: amount, ...none })
    if (expiresAt !== null) session.due.set(`lot-expiry ${name}`, expiresAt)
    if (expiresAt !== null) session.due.set(`lot-warning ${name}`, Math.max(expiresAt - warning_ms, at))
    const source = kind === 'purchase' ? 'stripe.clearing' : 'promo.expense'
    addEntry(session, { kind, amount, moved: amount, from: source, to: 'wallet.available' })
  },
  withdraw(session, { amount }) {
    for (const { lot, amount: part } of allocateFromLots(session, amount))
      moveCredits(session, { name: lot, amount: part, from: 'available', to: 'refunded' })
    addEntry(session, { kind: 'adjust', amount: -amount, moved: amount, from: 'wallet.available', to: 'promo.expense' })
  },
  hold(session, { name, mode, user, amount, lines, expiresAt, at }) {
    if (user !== null) requireSpendLimits(session, user, amount)
    requireThat(amount > 0, 'the amount of a hold must be a positive integer')
    const parts = mode === 'credit' ? allocateFromLots(session, amount) : []
    for (const part of parts)
      moveCredits(session, { name: part.lot, amount: part.amount, from: 'available', to: 'held' })
    session.holds.set(name, { mode, user, amount, at, parts, lines, outcome: null, settled: 0, charged: [] })
    if (expiresAt !== null) session.due.set(`hold-ending ${name}`, expiresAt)
    const { free, held, taken } = modes[mode]
    addEntry(session, { kind: taken, amount: -amount, moved: amount, from: free, to: held })
  },
  settle: (session, { hold, amount, lines }) => resolveHold(session, { name: hold, amount, lines, expired: false }),
  release: (session, { hold }) => resolveHold(session, { name: hold, amount: 0, lines: null, expired: false }),
  expire: (session, { hold }) => resolveHold(session, { name: hold, amount: 0, lines: null, expired: true }),
  meet(session, { kind, subject }) {
    const due = session.due.get(`${kind} ${subject}`)
    if (due === undefined || due > session.now) return false
    session.due.delete(`${kind} ${subject}`)
    runDeadline[kind]!(session, subject)
    return true
  },
  sweep: (session) => expireDueLots(session),
  revoke(session, { kind }) {
    const lots = listSpendableLots(session).filter((name) => session.lots.get(name)!.kind === kind)
    return sum(lots.map((name) => expireLot(session, name)))
  },
  cap(session, { user, caps }) {
    session.caps.set(user, caps)
  },
  read(session) {
    const lots = listSpendableLots(session).filter((name) => !isExpired(session.lots.get(name)!, session.now))
    const lotBalances = lots.map((name) => [name, session.lots.get(name)!.available] as const)
    return {
      available: sum(lotBalances.map(([, amount]) => amount)),
      held: balance(session, 'wallet.held'),
      lots: lotBalances,
    }
  },
  ...topupTransitions,
  window: (session, { user }) => sum(listWindow(session, user).map(([, credits]) => credits)),
}

/** Effects of deadlines by kind. */
const runDeadline: Readonly<Record<string, (session: WalletSession, subject: string) => void>> = {
  'hold-ending'(session, hold) {
    if (session.holds.get(hold)!.outcome !== null) return
    session.due.set(`hold-expiry ${hold}`, session.now + grace_ms)
    publish(session, 'hold.ending')
  },
  'hold-expiry'(session, hold) {
    if (session.holds.get(hold)!.outcome !== null) return
    resolveHold(session, { name: hold, amount: 0, lines: null, expired: true })
    publish(session, 'hold.expired')
  },
  'lot-expiry': (session) => void expireDueLots(session),
  // The resulting task is a command of its own.
  'topup-abandoned': () => {},
  'lot-warning'(session, lot) {
    if (session.lots.get(lot)!.available > 0) publish(session, 'credits.expiring')
  },
}
