import { invariant } from '../../engine/problem.ts'
import type { Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import type { Actor } from '../events/emit.ts'
import { holdAccounts, type Mode } from './accounts.ts'
import { closeBooks, openBooks, post, type Books, type Posting, type Reference } from './books.ts'
import { between, drawLots, expireReturned } from './lots.ts'
import type { NewChargeLine } from './store.books.ts'
import { findHold, linesOfHold, lotsOfHold, type HeldLot, type HoldRow } from './store.holds.ts'

export { findHold, type HoldRow } from './store.holds.ts'

/** The price of one item of the charged work. */
export type ChargeLine = Omit<NewChargeLine, 'hold_id' | 'line'>

export interface HoldTerms {
  /** Default: a new id. */
  readonly id?: string
  readonly amount_credits: number
  readonly reference: Reference
  /** Default: `credit`. */
  readonly mode?: Mode
  /** The user whose spend limit it counts against; default: the actor's user; null: nobody. */
  readonly user?: string | null
  /** When `hold.ending` asks the owner to resolve it; if the owner does not, it expires soon after. Default: never. */
  readonly expires_at?: Date | null
  /** Their amounts must sum to the amount of the hold. */
  readonly lines?: readonly ChargeLine[]
}

/** Creates a hold in its own ledger session; see `addHold`. */
export async function hold(tx: Tx, actor: Actor, terms: HoldTerms): Promise<string> {
  const books = await openBooks(tx, actor)
  const id = holdIn(books, terms)
  await closeBooks(books)
  return id
}

/**
 * Reserves an amount: credits move from `wallet.available` to `wallet.held` until the hold is settled, released or
 * expired, exactly once; card and enterprise holds use the accounts of their mode. Throws `insufficient-credits` before
 * anything is written.
 */
export function holdIn(books: Books, terms: HoldTerms): string {
  const { id = newId(), amount_credits, reference, mode = 'credit', lines = [] } = terms
  invariant(
    Number.isSafeInteger(amount_credits) && amount_credits > 0,
    'the amount of a hold must be a positive integer',
  )
  const priced = lines.reduce((sum, line) => sum + line.amount_credits, 0)
  invariant(lines.length === 0 || priced === amount_credits, 'the lines of a hold must sum to its amount')
  const lots = mode === 'credit' ? drawLots(books, amount_credits) : []
  const { changes } = books
  for (const lot of lots) changes.moves.push({ ...lot, from: 'available', to: 'held' })
  changes.holds.push({
    id,
    amount_credits,
    mode,
    reference_type: reference.type,
    reference_id: reference.id,
    user_id: terms.user === undefined ? books.actor.principal.user : terms.user,
    api_key_id: terms.user === undefined ? keyOf(books.actor) : null,
    expires_at: terms.expires_at ?? null,
    created_at: books.now,
    lots,
  })
  changes.lines.push(...lines.map((line, index) => ({ ...line, hold_id: id, line: index + 1 })))
  if (terms.expires_at) changes.deadlines.push({ kind: 'hold-ending', subject_id: id, due_at: terms.expires_at })
  const { free, held, taken } = holdAccounts[mode]
  post(books, {
    kind: taken,
    amount_credits: -amount_credits,
    reference,
    hold_id: id,
    postings: mode === 'credit' ? between(lots, free, held) : plain(amount_credits, free, held),
  })
  return id
}

const keyOf = ({ principal: { kind, id } }: Actor): string | null => (kind === 'api_key' ? id : null)

const plain = (amount_credits: number, from: Posting['account'], to: Posting['account']): Posting[] => [
  { account: from, amount_credits: -amount_credits, lot_id: null },
  { account: to, amount_credits, lot_id: null },
]

/**
 * Captures `amount_credits` of a hold (0 up to its full amount) and releases the rest; credits return to their lots.
 * `lines` names the delivered lines; without it, lines are charged in order up to the amount. A hold is resolved
 * once: a second settle, release or expiry is an internal error and writes nothing.
 */
export const settle = (
  tx: Tx,
  actor: Actor,
  hold_id: string,
  amount_credits: number,
  lines?: readonly number[],
): Promise<HoldRow> => resolve(tx, actor, hold_id, { amount_credits, lines, expired: false })

/** Releases the whole hold. */
export const release = (tx: Tx, actor: Actor, hold_id: string): Promise<HoldRow> =>
  resolve(tx, actor, hold_id, { amount_credits: 0, expired: false })

/** Releases the whole hold because it expired. */
export const expire = (tx: Tx, actor: Actor, hold_id: string): Promise<HoldRow> =>
  resolve(tx, actor, hold_id, { amount_credits: 0, expired: true })

interface Ending {
  readonly amount_credits: number
  readonly lines?: readonly number[] | undefined
  readonly expired: boolean
}

async function resolve(tx: Tx, actor: Actor, hold_id: string, ending: Ending): Promise<HoldRow> {
  const books = await openBooks(tx, actor)
  const held = await findHold(tx, actor.organization, hold_id)
  invariant(held, `the hold does not exist: ${hold_id}`)
  invariant(held.outcome === null, `the hold is already resolved: ${hold_id}`)
  const { amount_credits } = ending
  invariant(
    Number.isSafeInteger(amount_credits) && amount_credits >= 0 && amount_credits <= held.amount_credits,
    'the settled amount must not exceed the amount of the hold',
  )
  const lots = held.mode === 'credit' ? await lotsOfHold(tx, actor.organization, hold_id) : []
  if (amount_credits > 0) await settleLines(books, held, ending)
  const [charged, given] = split(lots, amount_credits)
  giveBack(books, held, held.amount_credits - amount_credits, given, ending.expired)
  charge(books, held, amount_credits, charged)
  books.changes.resolutions.push({
    hold_id,
    outcome: outcomeOf(ending),
    settled_credits: amount_credits,
    released_credits: held.amount_credits - amount_credits,
    user_id: held.user_id,
    api_key_id: held.api_key_id,
    held_at: held.created_at,
    at: books.now,
  })
  for (const kind of ['hold-ending', 'hold-expiry']) books.changes.cleared.push({ kind, subject_id: hold_id })
  await closeBooks(books)
  return held
}

const outcomeOf = ({ amount_credits, expired }: Ending): 'settled' | 'released' | 'expired' =>
  amount_credits > 0 ? 'settled' : expired ? 'expired' : 'released'

const referenceOf = (held: HoldRow): Reference => ({ type: held.reference_type, id: held.reference_id })

function giveBack(
  books: Books,
  held: HoldRow,
  amount_credits: number,
  lots: readonly HeldLot[],
  expired: boolean,
): void {
  if (amount_credits === 0) return
  const { free, held: waiting, back } = holdAccounts[held.mode]
  for (const lot of lots) books.changes.moves.push({ ...lot, from: 'held', to: 'available' })
  post(books, {
    kind: expired ? 'hold_expired' : back,
    amount_credits,
    reference: referenceOf(held),
    hold_id: held.id,
    postings: held.mode === 'credit' ? between(lots, waiting, free) : plain(amount_credits, waiting, free),
  })
  expireReturned(books, lots)
}

function charge(books: Books, held: HoldRow, amount_credits: number, lots: readonly HeldLot[]): void {
  if (amount_credits === 0) return
  const { held: waiting } = holdAccounts[held.mode]
  for (const lot of lots) books.changes.moves.push({ ...lot, from: 'held', to: 'captured' })
  post(books, {
    kind: 'capture',
    amount_credits: -amount_credits,
    reference: referenceOf(held),
    hold_id: held.id,
    postings: held.mode === 'credit' ? between(lots, waiting, 'revenue') : plain(amount_credits, waiting, 'revenue'),
  })
}

/** Records which lines were charged. Named lines are charged in full. */
async function settleLines(books: Books, held: HoldRow, { amount_credits, lines }: Ending): Promise<void> {
  const priced = await linesOfHold(books.tx, books.actor.organization, held.id)
  if (priced.length === 0) return
  let left = amount_credits
  for (const { line, amount_credits: amount } of priced) {
    const charged = lines ? (lines.includes(line) ? amount : 0) : Math.min(left, amount)
    left -= charged
    const free = amount === 0 && (lines?.includes(line) ?? true)
    if (charged > 0 || free) {
      books.changes.settled.push({ hold_id: held.id, line, amount_credits: charged, settled_at: books.now })
    }
  }
  invariant(left === 0, 'the delivered lines must sum to the charged amount')
}

/** Splits the lots in order: the part that covers the amount, and the rest. */
function split(lots: readonly HeldLot[], amount_credits: number): [HeldLot[], HeldLot[]] {
  const charged: HeldLot[] = []
  const given: HeldLot[] = []
  let left = amount_credits
  for (const lot of lots) {
    const part = Math.min(left, lot.amount_credits)
    left -= part
    if (part > 0) charged.push({ ...lot, amount_credits: part })
    if (part < lot.amount_credits) given.push({ ...lot, amount_credits: lot.amount_credits - part })
  }
  return [charged, given]
}
