import { assertInvariant } from '../../engine/problem.ts'
import type { Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import type { Actor } from '../../engine/actor.ts'
import { getCallingApiKeyId } from '../../engine/principal.ts'
import { holdAccounts, type HoldPaymentMethodClass } from './accounts.ts'
import {
  flushLedgerSession,
  openLedgerSession,
  appendJournalEntry,
  type LedgerSession,
  type NewPosting,
  type LedgerReference,
} from './ledger-session.ts'
import { buildLotTransferPostings, allocateFromLots, writeOffExpiredReturnedCredits } from './lots.ts'
import type { NewChargeLine } from './ledger-changes.ts'
import {
  findCreditHold,
  listChargeLinesOfHold,
  listLotsOfHold,
  type HeldCreditLot,
  type CreditHoldRow,
} from './store.holds.ts'

/** The price of one item of the charged work. */
export type HoldChargeLine = Omit<NewChargeLine, 'hold_id' | 'line'>

export interface HoldOptions {
  /** Default: a new id. */
  readonly id?: string
  readonly amount_credits: number
  readonly reference: LedgerReference
  /** Default: `credit`. */
  readonly mode?: HoldPaymentMethodClass
  /** The user whose spend limit it counts against; default: the actor's user; null: nobody. */
  readonly user?: string | null
  /** When `hold.ending` asks the owner to resolve it; if the owner does not, it expires soon after. Default: never. */
  readonly expires_at?: Date | null
  /** Their amounts must sum to the amount of the hold. */
  readonly lines?: readonly HoldChargeLine[]
}

/** Creates a hold in its own ledger session; see `addCreditHold`. */
export async function placeCreditHold(tx: Tx, actor: Actor, options: HoldOptions): Promise<string> {
  const ledger = await openLedgerSession(tx, actor)
  const id = addCreditHold(ledger, options)
  await flushLedgerSession(ledger)
  return id
}

/**
 * Reserves an amount: credits move from `wallet.available` to `wallet.held` until the hold is settled, released or
 * expired, exactly once; card and enterprise holds use the accounts of their mode. Throws `insufficient-credits` before
 * anything is written.
 */
export function addCreditHold(ledger: LedgerSession, options: HoldOptions): string {
  const { id = newId(), amount_credits, reference, mode = 'credit', lines = [] } = options
  assertInvariant(
    Number.isSafeInteger(amount_credits) && amount_credits > 0,
    'the amount of a hold must be a positive integer',
  )
  const linesTotal = lines.reduce((sum, line) => sum + line.amount_credits, 0)
  assertInvariant(lines.length === 0 || linesTotal === amount_credits, 'the lines of a hold must sum to its amount')
  const lots = mode === 'credit' ? allocateFromLots(ledger, amount_credits) : []
  const { changes } = ledger
  for (const lot of lots) changes.moves.push({ ...lot, from: 'available', to: 'held' })
  changes.holds.push({
    id,
    amount_credits,
    mode,
    reference_type: reference.type,
    reference_id: reference.id,
    user_id: options.user === undefined ? ledger.actor.principal.user : options.user,
    api_key_id: options.user === undefined ? getCallingApiKeyId(ledger.actor.principal) : null,
    expires_at: options.expires_at ?? null,
    created_at: ledger.now,
    lots,
  })
  changes.lines.push(...lines.map((line, index) => ({ ...line, hold_id: id, line: index + 1 })))
  if (options.expires_at) changes.deadlines.push({ kind: 'hold-ending', subject_id: id, due_at: options.expires_at })
  const { sourceAccount, heldAccount, holdKind } = holdAccounts[mode]
  appendJournalEntry(ledger, {
    kind: holdKind,
    amount_credits: -amount_credits,
    reference,
    hold_id: id,
    postings:
      mode === 'credit'
        ? buildLotTransferPostings(lots, sourceAccount, heldAccount)
        : transferPostings(amount_credits, sourceAccount, heldAccount),
  })
  return id
}

const transferPostings = (
  amount_credits: number,
  from: NewPosting['account'],
  to: NewPosting['account'],
): NewPosting[] => [
  { account: from, amount_credits: -amount_credits, lot_id: null },
  { account: to, amount_credits, lot_id: null },
]

/**
 * Captures `amount_credits` of a hold (0 up to its full amount) and releases the rest; credits return to their lots.
 * `lines` names the delivered lines; without it, lines are charged in order up to the amount. A hold is resolved
 * once: a second settle, release or expiry is an internal error and writes nothing.
 */
export const settleHold = (
  tx: Tx,
  actor: Actor,
  {
    hold_id,
    amount_credits,
    lines,
  }: { readonly hold_id: string; readonly amount_credits: number; readonly lines?: readonly number[] },
): Promise<CreditHoldRow> => resolveHold(tx, actor, hold_id, { amount_credits, lines, expired: false })

/** Releases the whole hold. */
export const releaseHold = (tx: Tx, actor: Actor, hold_id: string): Promise<CreditHoldRow> =>
  resolveHold(tx, actor, hold_id, { amount_credits: 0, expired: false })

/** Releases the whole hold because it expired. */
export const expireHold = (tx: Tx, actor: Actor, hold_id: string): Promise<CreditHoldRow> =>
  resolveHold(tx, actor, hold_id, { amount_credits: 0, expired: true })

interface ResolutionOptions {
  readonly amount_credits: number
  readonly lines?: readonly number[] | undefined
  readonly expired: boolean
}

async function resolveHold(
  tx: Tx,
  actor: Actor,
  hold_id: string,
  resolution: ResolutionOptions,
): Promise<CreditHoldRow> {
  const ledger = await openLedgerSession(tx, actor)
  const held = await findCreditHold(tx, actor.organization, hold_id)
  assertInvariant(held, `the hold does not exist: ${hold_id}`)
  assertInvariant(held.outcome === null, `the hold is already resolved: ${hold_id}`)
  const { amount_credits } = resolution
  assertInvariant(
    Number.isSafeInteger(amount_credits) && amount_credits >= 0 && amount_credits <= held.amount_credits,
    'the settled amount must not exceed the amount of the hold',
  )
  const lots = held.mode === 'credit' ? await listLotsOfHold(tx, actor.organization, hold_id) : []
  if (amount_credits > 0) await settleChargeLines(ledger, held, resolution)
  const [charged, remaining] = splitLots(lots, amount_credits)
  releaseRemainder(ledger, {
    held,
    amount_credits: held.amount_credits - amount_credits,
    lots: remaining,
    expired: resolution.expired,
  })
  captureAmount(ledger, held, amount_credits, charged)
  ledger.changes.resolutions.push({
    hold_id,
    outcome: outcomeFor(resolution),
    settled_credits: amount_credits,
    released_credits: held.amount_credits - amount_credits,
    user_id: held.user_id,
    api_key_id: held.api_key_id,
    held_at: held.created_at,
    at: ledger.now,
  })
  for (const kind of ['hold-ending', 'hold-expiry']) ledger.changes.cleared.push({ kind, subject_id: hold_id })
  await flushLedgerSession(ledger)
  return held
}

const outcomeFor = ({ amount_credits, expired }: ResolutionOptions): 'settled' | 'released' | 'expired' =>
  amount_credits > 0 ? 'settled' : expired ? 'expired' : 'released'

const referenceOf = (held: CreditHoldRow): LedgerReference => ({ type: held.reference_type, id: held.reference_id })

function releaseRemainder(
  ledger: LedgerSession,
  {
    held,
    amount_credits,
    lots,
    expired,
  }: {
    readonly held: CreditHoldRow
    readonly amount_credits: number
    readonly lots: readonly HeldCreditLot[]
    readonly expired: boolean
  },
): void {
  if (amount_credits === 0) return
  const { sourceAccount, heldAccount, releaseKind } = holdAccounts[held.mode]
  for (const lot of lots) ledger.changes.moves.push({ ...lot, from: 'held', to: 'available' })
  appendJournalEntry(ledger, {
    kind: expired ? 'hold_expired' : releaseKind,
    amount_credits,
    reference: referenceOf(held),
    hold_id: held.id,
    postings:
      held.mode === 'credit'
        ? buildLotTransferPostings(lots, heldAccount, sourceAccount)
        : transferPostings(amount_credits, heldAccount, sourceAccount),
  })
  writeOffExpiredReturnedCredits(ledger, lots)
}

function captureAmount(
  ledger: LedgerSession,
  held: CreditHoldRow,
  amount_credits: number,
  lots: readonly HeldCreditLot[],
): void {
  if (amount_credits === 0) return
  const { heldAccount } = holdAccounts[held.mode]
  for (const lot of lots) ledger.changes.moves.push({ ...lot, from: 'held', to: 'captured' })
  appendJournalEntry(ledger, {
    kind: 'capture',
    amount_credits: -amount_credits,
    reference: referenceOf(held),
    hold_id: held.id,
    postings:
      held.mode === 'credit'
        ? buildLotTransferPostings(lots, heldAccount, 'revenue')
        : transferPostings(amount_credits, heldAccount, 'revenue'),
  })
}

/** Records which lines were charged. Named lines are charged in full. */
async function settleChargeLines(
  ledger: LedgerSession,
  held: CreditHoldRow,
  { amount_credits, lines }: ResolutionOptions,
): Promise<void> {
  const linesTotal = await listChargeLinesOfHold(ledger.tx, ledger.actor.organization, held.id)
  if (linesTotal.length === 0) return
  let amount_left = amount_credits
  for (const { line, amount_credits: amount } of linesTotal) {
    const charged = lines ? (lines.includes(line) ? amount : 0) : Math.min(amount_left, amount)
    amount_left -= charged
    const free = amount === 0 && (lines?.includes(line) ?? true)
    if (charged > 0 || free) {
      ledger.changes.settled.push({ hold_id: held.id, line, amount_credits: charged, settled_at: ledger.now })
    }
  }
  assertInvariant(amount_left === 0, 'the delivered lines must sum to the charged amount')
}

/** Splits the lots in order: the part that covers the amount, and the rest. */
function splitLots(lots: readonly HeldCreditLot[], amount_credits: number): [HeldCreditLot[], HeldCreditLot[]] {
  const charged: HeldCreditLot[] = []
  const remaining: HeldCreditLot[] = []
  let amount_left = amount_credits
  for (const lot of lots) {
    const part = Math.min(amount_left, lot.amount_credits)
    amount_left -= part
    if (part > 0) charged.push({ ...lot, amount_credits: part })
    if (part < lot.amount_credits) remaining.push({ ...lot, amount_credits: lot.amount_credits - part })
  }
  return [charged, remaining]
}
