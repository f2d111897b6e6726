/**
 * The state of the reference and the steps of its arithmetic: what a wallet is, in names and whole numbers, without a
 * database. Times are milliseconds since 1970.
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

export interface Part {
  readonly lot: string
  readonly amount: number
}

export interface Caps {
  readonly per_order: number | null
  readonly window: number | null
}

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

/** A top-up as the organization and the processor each see it. */
export interface Topup {
  readonly amount: number
  readonly ours: 'starting' | 'action' | 'succeeded' | 'failed'
  /** Why it failed, as its row says. */
  readonly code: string | null
  readonly theirs: 'succeeded' | 'requires_action' | 'requires_payment_method' | 'canceled'
  /** Why the bank refused last. */
  readonly decline: string | null
}

/** A call that may be sent again with its key. */
export interface Claim {
  readonly card: PublishedCard
  readonly amount: number
  /** The top-up that it goes on with; null where it would begin anew. */
  readonly topup: string | null
}

export type PublishedCard = 'good' | 'declined' | '3ds'

export interface Wallet {
  readonly accounts: Map<string, number>
  /** By name, in the order in which they were made. */
  readonly lots: Map<string, Lot>
  readonly holds: Map<string, Hold>
  readonly caps: Map<number, Caps>
  /** When something is due, by `kind name`. */
  readonly due: Map<string, number>
  readonly topups: Map<string, Topup>
  readonly claims: Map<string, Claim>
  /** How often something was announced, by kind. */
  readonly told: Map<string, number>
}

export const emptyWallet = (): Wallet => ({
  accounts: new Map(),
  lots: new Map(),
  holds: new Map(),
  caps: new Map(),
  due: new Map(),
  topups: new Map(),
  claims: new Map(),
  told: new Map(),
})

/** The wallet while a command works on it. */
export interface Books extends Wallet {
  readonly now: number
  readonly entries: Entry[]
  readonly announced: string[]
}

export class Refusal extends Error {
  readonly answer: Answer
  constructor(answer: Answer) {
    super(JSON.stringify(answer))
    this.answer = answer
  }
}

/** An answer that is a refusal though something was written. */
export class Said {
  readonly answer: Answer
  constructor(answer: Answer) {
    this.answer = answer
  }
}

export const require = (condition: boolean, fault: string): void => {
  if (!condition) throw new Refusal({ fault })
}

export const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

export const balance = ({ accounts }: Wallet, name: string): number => accounts.get(name) ?? 0

export function post(books: Books, kind: string, amount: number, moved: number, from: string, to: string): void {
  books.accounts.set(from, balance(books, from) - moved)
  books.accounts.set(to, balance(books, to) + moved)
  books.entries.push([kind, amount, balance(books, 'wallet.available'), balance(books, 'wallet.held')])
}

export function move(books: Books, name: string, amount: number, from: keyof Lot, to: keyof Lot): void {
  if (amount === 0) return
  const lot = books.lots.get(name)!
  books.lots.set(name, { ...lot, [from]: Number(lot[from]) - amount, [to]: Number(lot[to]) + amount })
}

export function tell({ told, announced }: Books, kind: string): void {
  told.set(kind, (told.get(kind) ?? 0) + 1)
  announced.push(kind)
}

/** Chooses lots for an amount; those whose time is over end on the way. */
export function draw(books: Books, amount: number): Part[] {
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

export const expireOver = (books: Books): number =>
  sum(
    drawable(books)
      .filter((name) => isOver(books.lots.get(name)!, books.now))
      .map((name) => expire(books, name)),
  )

/** All that is available of a lot is lost. */
export function expire(books: Books, name: string): number {
  const lot = books.lots.get(name)!
  const { available } = lot
  move(books, name, available, 'available', 'expired')
  post(books, 'expire', -available, available, 'wallet.available', 'expired.breakage')
  if (isOver(lot, books.now)) books.due.delete(`lot-expiry ${name}`)
  return available
}

/** Lots with credits left, as they are drawn: lowest number, then earliest end, then oldest. */
export const drawable = ({ lots }: Wallet): string[] =>
  [...lots]
    .filter(([, lot]) => lot.available > 0)
    .toSorted(([, a], [, b]) => a.priority - b.priority || compareEnds(a.ends, b.ends) || a.at - b.at)
    .map(([name]) => name)

const compareEnds = (a: number | null, b: number | null): number => (a === b ? 0 : (a ?? Infinity) - (b ?? Infinity))

export const isOver = ({ ends }: Lot, now: number): boolean => ends !== null && ends <= now
