import { requireCaps, resolve, ways, windowOf } from './model-holds.ts'
import { topupRules, type TopupCommand } from './model-topups.ts'
import {
  balance,
  draw,
  drawable,
  expire,
  expireOver,
  isOver,
  move,
  post,
  Refusal,
  require,
  Said,
  sum,
  tell,
  type Books,
  type Caps,
  type Mode,
  type Outcome,
  type Wallet,
} from './wallet.ts'

export { window_ms } from './model-holds.ts'
export {
  emptyWallet,
  type Answer,
  type Caps,
  type Entry,
  type Hold,
  type Lot,
  type Mode,
  type Outcome,
  type Wallet,
} from './wallet.ts'

/** A command with its time; names are those of lots, holds, top-ups or claims. */
export type Command = { readonly at: number } & (
  | {
      readonly do: 'grant'
      readonly name: string
      readonly kind: 'purchase' | 'grant_monthly'
      readonly amount: number
      readonly priority: number
      readonly ends: number | null
    }
  | { readonly do: 'withdraw'; readonly amount: number }
  | {
      readonly do: 'hold'
      readonly name: string
      readonly mode: Mode
      readonly user: number | null
      readonly amount: number
      readonly lines: readonly number[]
      readonly ends: number | null
    }
  /** `lines`: the delivered lines by number; null charges them in order. */
  | { readonly do: 'settle'; readonly hold: string; readonly amount: number; readonly lines: readonly number[] | null }
  | { readonly do: 'release' | 'expire'; readonly hold: string }
  /** Runs a deadline if it is due. */
  | { readonly do: 'meet'; readonly kind: string; readonly subject: string }
  | { readonly do: 'sweep' }
  /** Expires all lots of a kind early. */
  | { readonly do: 'revoke'; readonly kind: string }
  | { readonly do: 'cap'; readonly user: number; readonly caps: Caps }
  | { readonly do: 'read' }
  | { readonly do: 'window'; readonly user: number }
  | TopupCommand
)

export type Of<Do extends Command['do']> = Extract<Command, { readonly do: Do }>

const warning_ms = 7 * 24 * 3_600_000
const grace_ms = 3_600_000
const threshold = 500

/** Applies a command to a copy of the wallet; returns the new wallet and the outcome. */
export function apply(wallet: Wallet, command: Command): { wallet: Wallet; outcome: Outcome } {
  const books: Books = {
    accounts: new Map(wallet.accounts),
    lots: new Map(wallet.lots),
    holds: new Map(wallet.holds),
    caps: new Map(wallet.caps),
    due: new Map(wallet.due),
    topups: new Map(wallet.topups),
    claims: new Map(wallet.claims),
    told: new Map(wallet.told),
    now: command.at,
    entries: [],
    announced: [],
  }
  try {
    const done = (rules[command.do] as (books: Books, command: Command) => unknown)(books, command) ?? null
    const answer = done instanceof Said ? done.answer : { done }
    const [before, after] = [balance(wallet, 'wallet.available'), balance(books, 'wallet.available')]
    if (before >= threshold && after < threshold) tell(books, 'credits.low_balance')
    if (before > 0 && after === 0) tell(books, 'credits.depleted')
    return { wallet: books, outcome: { answer, entries: books.entries, told: books.announced } }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { wallet, outcome: { answer: error.answer, entries: [], told: [] } }
  }
}

const rules: { readonly [Do in Command['do']]: (books: Books, command: Of<Do>) => unknown } = {
  grant(books, { name, kind, amount, priority, ends, at }) {
    require(amount > 0, 'the amount of a grant must be a positive integer')
    const none = { held: 0, captured: 0, expired: 0, refunded: 0 }
    books.lots.set(name, { kind, priority, ends, at, available: amount, ...none })
    if (ends !== null) books.due.set(`lot-expiry ${name}`, ends)
    if (ends !== null) books.due.set(`lot-warning ${name}`, Math.max(ends - warning_ms, at))
    const source = kind === 'purchase' ? 'stripe.clearing' : 'promo.expense'
    post(books, kind, amount, amount, source, 'wallet.available')
  },
  withdraw(books, { amount }) {
    for (const { lot, amount: part } of draw(books, amount)) move(books, lot, part, 'available', 'refunded')
    post(books, 'adjust', -amount, amount, 'wallet.available', 'promo.expense')
  },
  hold(books, { name, mode, user, amount, lines, ends, at }) {
    if (user !== null) requireCaps(books, user, amount)
    require(amount > 0, 'the amount of a hold must be a positive integer')
    const parts = mode === 'credit' ? draw(books, amount) : []
    for (const part of parts) move(books, part.lot, part.amount, 'available', 'held')
    books.holds.set(name, { mode, user, amount, at, parts, lines, outcome: null, settled: 0, charged: [] })
    if (ends !== null) books.due.set(`hold-ending ${name}`, ends)
    const { free, held, taken } = ways[mode]
    post(books, taken, -amount, amount, free, held)
  },
  settle: (books, { hold, amount, lines }) => resolve(books, hold, amount, lines, false),
  release: (books, { hold }) => resolve(books, hold, 0, null, false),
  expire: (books, { hold }) => resolve(books, hold, 0, null, true),
  meet(books, { kind, subject }) {
    const due = books.due.get(`${kind} ${subject}`)
    if (due === undefined || due > books.now) return false
    books.due.delete(`${kind} ${subject}`)
    meet[kind]!(books, subject)
    return true
  },
  sweep: (books) => expireOver(books),
  revoke(books, { kind }) {
    const lots = drawable(books).filter((name) => books.lots.get(name)!.kind === kind)
    return sum(lots.map((name) => expire(books, name)))
  },
  cap(books, { user, caps }) {
    books.caps.set(user, caps)
  },
  read(books) {
    const lots = drawable(books).filter((name) => !isOver(books.lots.get(name)!, books.now))
    const left = lots.map((name) => [name, books.lots.get(name)!.available] as const)
    return { available: sum(left.map(([, amount]) => amount)), held: balance(books, 'wallet.held'), lots: left }
  },
  ...topupRules,
  window: (books, { user }) => sum(windowOf(books, user).map(([, credits]) => credits)),
}

/** Effects of deadlines by kind. */
const meet: Readonly<Record<string, (books: Books, subject: string) => void>> = {
  'hold-ending'(books, hold) {
    if (books.holds.get(hold)!.outcome !== null) return
    books.due.set(`hold-expiry ${hold}`, books.now + grace_ms)
    tell(books, 'hold.ending')
  },
  'hold-expiry'(books, hold) {
    if (books.holds.get(hold)!.outcome !== null) return
    resolve(books, hold, 0, null, true)
    tell(books, 'hold.expired')
  },
  'lot-expiry': (books) => void expireOver(books),
  // The resulting task is a command of its own.
  'topup-abandoned': () => {},
  'lot-warning'(books, lot) {
    if (books.lots.get(lot)!.available > 0) tell(books, 'credits.expiring')
  },
}
