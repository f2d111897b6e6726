/**
 * The reference: what a wallet is, in names and whole numbers, without a database. It says what every command answers
 * and which entries it leaves; the ledger is compared with it. Times are milliseconds since 1970.
 */
export type Mode = 'credit' | 'card' | 'enterprise'

export interface Lot {
  readonly kind: string
  readonly priority: number
  /** Null for never. */
  readonly ends: number | null
  readonly at: number
  readonly available: number
  readonly held: number
  readonly captured: number
  readonly expired: number
  readonly refunded: number
}

export interface Hold {
  readonly mode: Mode
  /** Null where it counts for nobody. */
  readonly user: number | null
  readonly amount: number
  readonly at: number
  readonly parts: readonly Part[]
  /** What each line costs; empty where it was not said. */
  readonly lines: readonly number[]
  readonly outcome: 'settled' | 'released' | 'expired' | null
  readonly settled: number
  /** What each line was charged, by its number from 1 on. */
  readonly charged: readonly (readonly [line: number, amount: number])[]
}

interface Part {
  readonly lot: string
  readonly amount: number
}

export interface Caps {
  readonly per_order: number | null
  readonly window: number | null
}

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
  /** `lines`: the numbers of those that were delivered; null charges them in their order. */
  | { readonly do: 'settle'; readonly hold: string; readonly amount: number; readonly lines: readonly number[] | null }
  | { readonly do: 'release' | 'expire'; readonly hold: string }
  /** What is due happens, if nobody else saw to it. */
  | { readonly do: 'meet'; readonly kind: string; readonly subject: string }
  | { readonly do: 'sweep' }
  /** Lots of a kind end before their time. */
  | { readonly do: 'revoke'; readonly kind: string }
  | { readonly do: 'cap'; readonly user: number; readonly caps: Caps }
  | { readonly do: 'read' }
  | { readonly do: 'window'; readonly user: number }
)

export type Of<Do extends Command['do']> = Extract<Command, { readonly do: Do }>

/** `refused`: a named problem with its members; `fault`: what a caller may never ask for. Both leave nothing. */
export type Answer =
  | { readonly done: unknown }
  | { readonly refused: string; readonly [member: string]: unknown }
  | { readonly fault: string }

/** Kind, amount, and what is available and held afterwards. */
export type Entry = readonly [kind: string, amount: number, available: number, held: number]

export interface Outcome {
  readonly answer: Answer
  readonly entries: readonly Entry[]
  /** The kinds of what was announced. */
  readonly told: readonly string[]
}

export interface Wallet {
  readonly accounts: Map<string, number>
  /** By name, in the order in which they were made. */
  readonly lots: Map<string, Lot>
  readonly holds: Map<string, Hold>
  readonly caps: Map<number, Caps>
  /** When something is due, by `kind name`. */
  readonly due: Map<string, number>
  /** How often something was announced, by kind. */
  readonly told: Map<string, number>
}

export const emptyWallet = (): Wallet => ({
  accounts: new Map(),
  lots: new Map(),
  holds: new Map(),
  caps: new Map(),
  due: new Map(),
  told: new Map(),
})

/** The wallet while a command works on it. */
interface Books extends Wallet {
  readonly now: number
  readonly entries: Entry[]
  readonly announced: string[]
}

class Refusal extends Error {
  readonly answer: Answer
  constructor(answer: Answer) {
    super(JSON.stringify(answer))
    this.answer = answer
  }
}

const require = (condition: boolean, fault: string): void => {
  if (!condition) throw new Refusal({ fault })
}

export const window_ms = 30 * 24 * 3_600_000
const warning_ms = 7 * 24 * 3_600_000
const grace_ms = 3_600_000
const threshold = 500

/** What a command does to a wallet, which stays as it is, and what it answers. */
export function apply(wallet: Wallet, command: Command): { wallet: Wallet; outcome: Outcome } {
  const books: Books = {
    accounts: new Map(wallet.accounts),
    lots: new Map(wallet.lots),
    holds: new Map(wallet.holds),
    caps: new Map(wallet.caps),
    due: new Map(wallet.due),
    told: new Map(wallet.told),
    now: command.at,
    entries: [],
    announced: [],
  }
  try {
    const done = (rules[command.do] as (books: Books, command: Command) => unknown)(books, command) ?? null
    const [before, after] = [balance(wallet, 'wallet.available'), balance(books, 'wallet.available')]
    if (before >= threshold && after < threshold) tell(books, 'credits.low_balance')
    if (before > 0 && after === 0) tell(books, 'credits.depleted')
    return { wallet: books, outcome: { answer: { done }, entries: books.entries, told: books.announced } }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { wallet, outcome: { answer: error.answer, entries: [], told: [] } }
  }
}

const rules: { readonly [Do in Command['do']]: (books: Books, command: Of<Do>) => unknown } = {
  grant(books, { name, kind, amount, priority, ends, at }) {
    require(amount > 0, 'a grant is a whole number above zero')
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
    require(amount > 0, 'a hold is a whole number above zero')
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
  window: (books, { user }) => sum(windowOf(books, user).map(([, credits]) => credits)),
}

/** What happens when something is due, by the kind of the deadline. */
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
  'lot-warning'(books, lot) {
    if (books.lots.get(lot)!.available > 0) tell(books, 'credits.expiring')
  },
}

const ways: Readonly<Record<Mode, { free: string; held: string; taken: string; back: string }>> = {
  credit: { free: 'wallet.available', held: 'wallet.held', taken: 'hold', back: 'release' },
  card: { free: 'stripe.clearing', held: 'card.authorised', taken: 'hold', back: 'release' },
  enterprise: { free: 'enterprise.accrued', held: 'enterprise.held', taken: 'accrue', back: 'unaccrue' },
}

/** Ends a hold once: so much is charged, the rest goes back to where it came from. */
function resolve(books: Books, name: string, amount: number, lines: readonly number[] | null, expired: boolean): void {
  const hold = books.holds.get(name)
  if (!hold) throw new Refusal({ fault: 'there is no hold' })
  require(hold.outcome === null, 'is resolved already')
  require(amount >= 0 && amount <= hold.amount, 'a settlement is never more than its hold')
  const charged = amount > 0 ? chargeLines(hold.lines, amount, lines) : []
  const { free, held, back } = ways[hold.mode]
  const rest = hold.amount - amount
  let left = amount
  const parts = hold.parts.map(({ lot, amount: part }) => {
    const taken = Math.min(left, part)
    left -= taken
    return { lot, taken, given: part - taken }
  })
  for (const { lot, given } of parts) move(books, lot, given, 'held', 'available')
  if (rest > 0) post(books, expired ? 'hold_expired' : back, rest, rest, held, free)
  for (const { lot, given } of parts) if (given > 0 && isOver(books.lots.get(lot)!, books.now)) expire(books, lot)
  for (const { lot, taken } of parts) move(books, lot, taken, 'held', 'captured')
  if (amount > 0) post(books, 'capture', -amount, amount, held, 'revenue')
  const outcome = amount > 0 ? 'settled' : expired ? 'expired' : 'released'
  books.holds.set(name, { ...hold, outcome, settled: amount, charged })
  for (const kind of ['hold-ending', 'hold-expiry']) books.due.delete(`${kind} ${name}`)
}

function chargeLines(prices: readonly number[], amount: number, lines: readonly number[] | null): Hold['charged'] {
  let left = prices.length > 0 ? amount : 0
  const charged = prices.map((price, index): [number, number] => {
    const part = lines === null ? Math.min(left, price) : lines.includes(index + 1) ? price : 0
    left -= part
    return [index + 1, part]
  })
  require(left === 0, 'the lines that were delivered sum to what is charged')
  return charged.filter(([, part]) => part > 0)
}

/** Chooses lots for an amount; those whose time is over end on the way. */
function draw(books: Books, amount: number): Part[] {
  expireOver(books)
  const available = sum([...books.lots.values()].map((lot) => lot.available))
  if (amount > available) {
    throw new Refusal({ refused: 'insufficient-credits', required_credits: amount, available_credits: available })
  }
  let left = amount
  const parts = drawable(books).map((lot) => {
    const part = Math.min(left, books.lots.get(lot)!.available)
    left -= part
    return { lot, amount: part }
  })
  return parts.filter((part) => part.amount > 0)
}

const expireOver = (books: Books): number =>
  sum(
    drawable(books)
      .filter((name) => isOver(books.lots.get(name)!, books.now))
      .map((name) => expire(books, name)),
  )

/** All that is available of a lot is lost. */
function expire(books: Books, name: string): number {
  const lot = books.lots.get(name)!
  const { available } = lot
  move(books, name, available, 'available', 'expired')
  post(books, 'expire', -available, available, 'wallet.available', 'expired.breakage')
  if (isOver(lot, books.now)) books.due.delete(`lot-expiry ${name}`)
  return available
}

/** Lots with credits left, as they are drawn: lowest number, then earliest end, then oldest. */
const drawable = ({ lots }: Wallet): string[] =>
  [...lots]
    .filter(([, lot]) => lot.available > 0)
    .toSorted(([, a], [, b]) => a.priority - b.priority || compareEnds(a.ends, b.ends) || a.at - b.at)
    .map(([name]) => name)

const compareEnds = (a: number | null, b: number | null): number => (a === b ? 0 : (a ?? Infinity) - (b ?? Infinity))

const isOver = ({ ends }: Lot, now: number): boolean => ends !== null && ends <= now

/** What counts in the window of a member, oldest first: what is held, or what was charged in the end. */
const windowOf = (books: Books, user: number): (readonly [at: number, credits: number])[] =>
  [...books.holds.values()]
    .filter((hold) => hold.user === user && hold.at > books.now - window_ms)
    .map((hold) => [hold.at, hold.outcome === null ? hold.amount : hold.settled] as const)
    .toSorted(([a], [b]) => a - b)

function requireCaps(books: Books, user: number, requested: number): void {
  const { per_order, window } = books.caps.get(user) ?? { per_order: null, window: null }
  const counted = windowOf(books, user)
  const window_used = sum(counted.map(([, credits]) => credits))
  const refuse = (limit: number, frees_at: number | null): never => {
    const at = frees_at === null ? null : new Date(frees_at).toISOString()
    throw new Refusal({ refused: 'spend-limit-exceeded', limit, window_used, requested, frees_at: at })
  }
  if (per_order !== null && requested > per_order) refuse(per_order, null)
  if (window === null || window_used + requested <= window) return
  let freed = 0
  const last = counted.find(([, credits]) => window_used - (freed += credits) + requested <= window)
  refuse(window, requested > window || !last ? null : last[0] + window_ms)
}

function move(books: Books, name: string, amount: number, from: keyof Lot, to: keyof Lot): void {
  if (amount === 0) return
  const lot = books.lots.get(name)!
  books.lots.set(name, { ...lot, [from]: Number(lot[from]) - amount, [to]: Number(lot[to]) + amount })
}

function post(books: Books, kind: string, amount: number, moved: number, from: string, to: string): void {
  books.accounts.set(from, balance(books, from) - moved)
  books.accounts.set(to, balance(books, to) + moved)
  books.entries.push([kind, amount, balance(books, 'wallet.available'), balance(books, 'wallet.held')])
}

const balance = ({ accounts }: Wallet, name: string): number => accounts.get(name) ?? 0

function tell({ told, announced }: Books, kind: string): void {
  told.set(kind, (told.get(kind) ?? 0) + 1)
  announced.push(kind)
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
