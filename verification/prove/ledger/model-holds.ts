import {
  moveCredits,
  addEntry,
  ModelRefusal,
  requireThat,
  expireLot,
  isExpired,
  sum,
  type WalletSession,
  type ModelHold,
  type Mode,
  type SpendLimits,
} from './wallet.ts'

export const modes: Readonly<Record<Mode, { free: string; held: string; taken: string; back: string }>> = {
  credit: { free: 'wallet.available', held: 'wallet.held', taken: 'hold', back: 'release' },
  card: { free: 'stripe.clearing', held: 'card.authorised', taken: 'hold', back: 'release' },
  enterprise: { free: 'enterprise.accrued', held: 'enterprise.held', taken: 'accrue', back: 'unaccrue' },
}

interface Resolution {
  readonly name: string
  readonly amount: number
  readonly lines: readonly number[] | null
  readonly expired: boolean
}

/** Resolves a hold once: charges the amount and releases the rest to its source. */
export function resolveHold(session: WalletSession, { name, amount, lines, expired }: Resolution): void {
  const hold = session.holds.get(name)
  if (!hold) throw new ModelRefusal({ fault: 'the hold does not exist' })
  requireThat(hold.outcome === null, 'the hold is already resolved')
  requireThat(amount >= 0 && amount <= hold.amount, 'the settled amount must not exceed the amount of the hold')
  const charged = amount > 0 ? chargeLines(hold.lines, amount, lines) : []
  const { free, held, back } = modes[hold.mode]
  const remainder = hold.amount - amount
  let left = amount
  const parts = hold.parts.map(({ lot, amount: part }) => {
    const captured = Math.min(left, part)
    left -= captured
    return { lot, taken: captured, given: part - captured }
  })
  for (const { lot, given: returned } of parts)
    moveCredits(session, { name: lot, amount: returned, from: 'held', to: 'available' })
  const release = { kind: expired ? 'hold_expired' : back, amount: remainder, moved: remainder, from: held, to: free }
  if (remainder > 0) addEntry(session, release)
  for (const { lot, given: returned } of parts)
    if (returned > 0 && isExpired(session.lots.get(lot)!, session.now)) expireLot(session, lot)
  for (const { lot, taken: captured } of parts)
    moveCredits(session, { name: lot, amount: captured, from: 'held', to: 'captured' })
  if (amount > 0) addEntry(session, { kind: 'capture', amount: -amount, moved: amount, from: held, to: 'revenue' })
  const outcome = amount > 0 ? 'settled' : expired ? 'expired' : 'released'
  session.holds.set(name, { ...hold, outcome, settled: amount, charged })
  for (const kind of ['hold-ending', 'hold-expiry']) session.due.delete(`${kind} ${name}`)
}

function chargeLines(prices: readonly number[], amount: number, lines: readonly number[] | null): ModelHold['charged'] {
  let left = prices.length > 0 ? amount : 0
  const charged = prices.map((price, index): [number, number] => {
    const part = lines === null ? Math.min(left, price) : lines.includes(index + 1) ? price : 0
    left -= part
    return [index + 1, part]
  })
  requireThat(left === 0, 'the delivered lines must sum to the charged amount')
  return charged.filter(([, part]) => part > 0)
}

export const window_ms = 30 * 24 * 3_600_000

/** Amounts that count towards a 30-day limit, oldest first. */
type WindowEntries = readonly (readonly [at: number, credits: number])[]

/** Entries of a member's spend window: held amounts, or charged ones after settlement. */
export const listWindow = (session: WalletSession, user: number): WindowEntries =>
  [...session.holds.values()]
    .filter((hold) => hold.user === user && hold.at > session.now - window_ms)
    .map((hold) => [hold.at, hold.outcome === null ? hold.amount : hold.settled] as const)
    .toSorted(([a], [b]) => a - b)

/** The limits of a member; none by default. */
export const limitsOf = (session: WalletSession, user: number): SpendLimits =>
  session.caps.get(user) ?? { per_order: null, window: null }

export function requireSpendLimits(session: WalletSession, user: number, requested: number): void {
  const { per_order } = limitsOf(session, user)
  const entries = listWindow(session, user)
  if (per_order !== null && requested > per_order) throw limitExceeded(per_order, entries, requested)
  requireWindowLimit(session, user, { entries, requested })
}

/** Refuses an amount that exceeds the 30-day limit of a member with the given entries. */
export function requireWindowLimit(
  session: WalletSession,
  user: number,
  { entries, requested }: { readonly entries: WindowEntries; readonly requested: number },
): void {
  const { window: limit } = limitsOf(session, user)
  if (limit !== null && sumWindow(entries) + requested > limit) throw limitExceeded(limit, entries, requested)
}

/** The refusal, with the time at which enough entries leave the window. */
export function limitExceeded(limit: number, entries: WindowEntries, requested: number): ModelRefusal {
  const window_used = sumWindow(entries)
  let left = window_used
  const last = entries.find(([, credits]) => (left -= credits) + requested <= limit)
  const frees_at = requested > limit || !last ? null : new Date(last[0] + window_ms).toISOString()
  return new ModelRefusal({ refused: 'spend-limit-exceeded', limit, window_used, requested, frees_at })
}

const sumWindow = (entries: WindowEntries): number => sum(entries.map(([, credits]) => credits))
