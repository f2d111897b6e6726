/**
 * State and arithmetic of the reference model: a wallet as names and integers, without a database. Times are milliseconds
 * since 1970.
 */
export type Mode = 'credit' | 'card' | 'enterprise'

export interface ModelLot {
  readonly kind: string
  readonly priority: number
  /** Null for never. */
  readonly expiresAt: number | null
  readonly at: number
  readonly available: number
  readonly held: number
  readonly captured: number
  readonly expired: number
  readonly refunded: number
}

export interface ModelHold {
  readonly mode: Mode
  /** Null if it counts for no member. */
  readonly user: number | null
  readonly amount: number
  readonly at: number
  readonly parts: readonly LotPart[]
  /** The price of each line; empty if unknown. */
  readonly lines: readonly number[]
  readonly outcome: 'settled' | 'released' | 'expired' | null
  readonly settled: number
  /** The charge of each line, by number from 1. */
  readonly charged: readonly (readonly [line: number, amount: number])[]
}

interface LotPart {
  readonly lot: string
  readonly amount: number
}

export interface SpendLimits {
  readonly per_order: number | null
  readonly window: number | null
}

/** `refused`: a problem with its members; `fault`: a violated precondition. Neither changes anything. */
export type CommandAnswer =
  | { readonly done: unknown }
  | { readonly refused: string; readonly [member: string]: unknown }
  | { readonly fault: string }

/** Kind, amount, and the available and held credits afterwards. */
export type EntrySummary = readonly [kind: string, amount: number, available: number, held: number]

export interface CommandOutcome {
  readonly answer: CommandAnswer
  readonly entries: readonly EntrySummary[]
  /** Kinds of the published events. */
  readonly events: readonly string[]
}

/** A top-up with its state in the ledger and at the processor. */
export interface ModelTopup {
  readonly amount: number
  readonly at: number
  readonly ours: 'starting' | 'action' | 'succeeded' | 'failed'
  /** The failure code of its row. */
  readonly code: string | null
  readonly theirs: 'succeeded' | 'requires_action' | 'requires_payment_method' | 'canceled'
  /** The last decline code. */
  readonly decline: string | null
}

/** An idempotent call that may be repeated. */
interface ModelClaim {
  readonly card: PublishedCard
  readonly amount: number
  /** The top-up that it continues; null if it would create a new one. */
  readonly topup: string | null
}

export type PublishedCard = 'good' | 'declined' | '3ds'

export interface ModelWallet {
  readonly accounts: Map<string, number>
  /** By name, in the order of their creation. */
  readonly lots: Map<string, ModelLot>
  readonly holds: Map<string, ModelHold>
  readonly caps: Map<number, SpendLimits>
  /** Deadlines by `kind name`. */
  readonly due: Map<string, number>
  readonly topups: Map<string, ModelTopup>
  readonly claims: Map<string, ModelClaim>
  /** Number of events by kind. */
  readonly eventCounts: Map<string, number>
}

export const emptyWallet = (): ModelWallet => ({
  accounts: new Map(),
  lots: new Map(),
  holds: new Map(),
  caps: new Map(),
  due: new Map(),
  topups: new Map(),
  claims: new Map(),
  eventCounts: new Map(),
})

/** The wallet while a command is applied. */
export interface WalletSession extends ModelWallet {
  readonly now: number
  readonly entries: EntrySummary[]
  readonly publishedEvents: string[]
}

export class ModelRefusal extends Error {
  readonly answer: CommandAnswer
  constructor(answer: CommandAnswer) {
    super(JSON.stringify(answer))
    this.answer = answer
  }
}

/** A refusal of a command that has written rows. */
export class RecordedRefusal {
  readonly answer: CommandAnswer
  constructor(answer: CommandAnswer) {
    this.answer = answer
  }
}

export const requireThat = (condition: boolean, fault: string): void => {
  if (!condition) throw new ModelRefusal({ fault })
}

export const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

export const balance = ({ accounts }: ModelWallet, name: string): number => accounts.get(name) ?? 0

export function addEntry(
  session: WalletSession,
  { kind, amount, moved, from, to }: { kind: string; amount: number; moved: number; from: string; to: string },
): void {
  session.accounts.set(from, balance(session, from) - moved)
  session.accounts.set(to, balance(session, to) + moved)
  session.entries.push([kind, amount, balance(session, 'wallet.available'), balance(session, 'wallet.held')])
}

export function moveCredits(
  session: WalletSession,
  { name, amount, from, to }: { name: string; amount: number; from: keyof ModelLot; to: keyof ModelLot },
): void {
  if (amount === 0) return
  const lot = session.lots.get(name)!
  session.lots.set(name, { ...lot, [from]: Number(lot[from]) - amount, [to]: Number(lot[to]) + amount })
}

export function publish({ eventCounts, publishedEvents }: WalletSession, kind: string): void {
  eventCounts.set(kind, (eventCounts.get(kind) ?? 0) + 1)
  publishedEvents.push(kind)
}

/** Allocates an amount from lots, after expiring lots that are due. */
export function allocateFromLots(session: WalletSession, amount: number): LotPart[] {
  expireDueLots(session)
  const available = sum([...session.lots.values()].map((lot) => lot.available))
  if (amount > available) {
    throw new ModelRefusal({ refused: 'insufficient-credits', required_credits: amount, available_credits: available })
  }
  let remaining = amount
  const parts = listSpendableLots(session).map((lot) => {
    const part = Math.min(remaining, session.lots.get(lot)!.available)
    remaining -= part
    return { lot, amount: part }
  })
  return parts.filter((part) => part.amount > 0)
}

export const expireDueLots = (session: WalletSession): number =>
  sum(
    listSpendableLots(session)
      .filter((name) => isExpired(session.lots.get(name)!, session.now))
      .map((name) => expireLot(session, name)),
  )

/** Expires all available credits of a lot. */
export function expireLot(session: WalletSession, name: string): number {
  const lot = session.lots.get(name)!
  const { available } = lot
  moveCredits(session, { name, amount: available, from: 'available', to: 'expired' })
  addEntry(session, {
    kind: 'expire',
    amount: -available,
    moved: available,
    from: 'wallet.available',
    to: 'expired.breakage',
  })
  if (isExpired(lot, session.now)) session.due.delete(`lot-expiry ${name}`)
  return available
}

/** Lots with available credits in the order of their use: priority, then expiry, then age. */
export const listSpendableLots = ({ lots }: ModelWallet): string[] =>
  [...lots]
    .filter(([, lot]) => lot.available > 0)
    .toSorted(([, a], [, b]) => a.priority - b.priority || compareExpiry(a.expiresAt, b.expiresAt) || a.at - b.at)
    .map(([name]) => name)

const compareExpiry = (a: number | null, b: number | null): number => (a === b ? 0 : (a ?? Infinity) - (b ?? Infinity))

export const isExpired = ({ expiresAt }: ModelLot, now: number): boolean => expiresAt !== null && expiresAt <= now
