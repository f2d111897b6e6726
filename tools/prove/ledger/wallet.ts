/**
 * State and arithmetic of the reference model: a wallet as names and integers, without a database. Times are milliseconds
 * since 1970.
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
  /** Null if it counts for no member. */
  readonly user: number | null
  readonly amount: number
  readonly at: number
  readonly parts: readonly Part[]
  /** The price of each line; empty if unknown. */
  readonly lines: readonly number[]
  readonly outcome: 'settled' | 'released' | 'expired' | null
  readonly settled: number
  /** The charge of each line, by number from 1. */
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

/** `refused`: a problem with its members; `fault`: a violated precondition. Neither changes anything. */
export type Answer =
  | { readonly done: unknown }
  | { readonly refused: string; readonly [member: string]: unknown }
  | { readonly fault: string }

/** Kind, amount, and what is available and held afterwards. */
export type Entry = readonly [kind: string, amount: number, available: number, held: number]

export interface Outcome {
  readonly answer: Answer
  readonly entries: readonly Entry[]
  /** Kinds of the published events. */
  readonly told: readonly string[]
}

/** A top-up with its state in the ledger and at the processor. */
export interface Topup {
  readonly amount: number
  readonly ours: 'starting' | 'action' | 'succeeded' | 'failed'
  /** The failure code of its row. */
  readonly code: string | null
  readonly theirs: 'succeeded' | 'requires_action' | 'requires_payment_method' | 'canceled'
  /** The last decline code. */
  readonly decline: string | null
}

/** An idempotent call that may be repeated. */
export interface Claim {
  readonly card: PublishedCard
  readonly amount: number
  /** The top-up that it continues; null if it would create a new one. */
  readonly topup: string | null
}

export type PublishedCard = 'good' | 'declined' | '3ds'

export interface Wallet {
  readonly accounts: Map<string, number>
  /** By name, in the order of their creation. */
  readonly lots: Map<string, Lot>
  readonly holds: Map<string, Hold>
  readonly caps: Map<number, Caps>
  /** Deadlines by `kind name`. */
  readonly due: Map<string, number>
  readonly topups: Map<string, Topup>
  readonly claims: Map<string, Claim>
  /** Number of events by kind. */
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

/** The wallet while a command is applied. */
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

/** A refusal of a command that has written rows. */
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

/** Allocates an amount from lots, after expiring lots that are due. */
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

/** Expires all available credits of a lot. */
export function expire(books: Books, name: string): number {
  const lot = books.lots.get(name)!
  const { available } = lot
  move(books, name, available, 'available', 'expired')
  post(books, 'expire', -available, available, 'wallet.available', 'expired.breakage')
  if (isOver(lot, books.now)) books.due.delete(`lot-expiry ${name}`)
  return available
}

/** Lots with available credits in the order of their use: priority, then expiry, then age. */
export const drawable = ({ lots }: Wallet): string[] =>
  [...lots]
    .filter(([, lot]) => lot.available > 0)
    .toSorted(([, a], [, b]) => a.priority - b.priority || compareEnds(a.ends, b.ends) || a.at - b.at)
    .map(([name]) => name)

const compareEnds = (a: number | null, b: number | null): number => (a === b ? 0 : (a ?? Infinity) - (b ?? Infinity))

export const isOver = ({ ends }: Lot, now: number): boolean => ends !== null && ends <= now
