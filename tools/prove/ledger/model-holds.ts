import { move, post, Refusal, require, expire, isOver, sum, type Books, type Hold, type Mode } from './wallet.ts'

export const ways: Readonly<Record<Mode, { free: string; held: string; taken: string; back: string }>> = {
  credit: { free: 'wallet.available', held: 'wallet.held', taken: 'hold', back: 'release' },
  card: { free: 'stripe.clearing', held: 'card.authorised', taken: 'hold', back: 'release' },
  enterprise: { free: 'enterprise.accrued', held: 'enterprise.held', taken: 'accrue', back: 'unaccrue' },
}

/** Resolves a hold once: charges the amount and releases the rest to its source. */
export function resolve(
  books: Books,
  name: string,
  amount: number,
  lines: readonly number[] | null,
  expired: boolean,
): void {
  const hold = books.holds.get(name)
  if (!hold) throw new Refusal({ fault: 'the hold does not exist' })
  require(hold.outcome === null, 'the hold is already resolved')
  require(amount >= 0 && amount <= hold.amount, 'the settled amount must not exceed the amount of the hold')
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
  require(left === 0, 'the delivered lines must sum to the charged amount')
  return charged.filter(([, part]) => part > 0)
}

export const window_ms = 30 * 24 * 3_600_000

/** Entries of a member's spend window, oldest first: held amounts, or charged ones after settlement. */
export const windowOf = (books: Books, user: number): (readonly [at: number, credits: number])[] =>
  [...books.holds.values()]
    .filter((hold) => hold.user === user && hold.at > books.now - window_ms)
    .map((hold) => [hold.at, hold.outcome === null ? hold.amount : hold.settled] as const)
    .toSorted(([a], [b]) => a - b)

export function requireCaps(books: Books, user: number, requested: number): void {
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
