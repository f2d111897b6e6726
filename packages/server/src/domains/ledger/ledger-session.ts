import { assertInvariant } from '../../engine/problem.ts'
import type { OrganizationTime } from '../../platform/clock.ts'
import type { Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import type { Actor } from '../../engine/actor.ts'
import { emitEvent } from '../events/emit.ts'
import type { LedgerAccount, JournalEntryKind } from './accounts.ts'
import { hashJournalEntry, type HashedJournalEntry } from './chain.ts'
import type {
  CreditLotMove,
  SpendableLotRow,
  NewCreditHold,
  NewCreditLot,
  HoldResolution,
  NewBillingDeadline,
  NewChargeLine,
  SettledChargeLine,
} from './ledger-changes.ts'
import { lockLedgerHead, findBalancesAndLots, insertLedgerChanges, type LedgerHeadRow } from './store.ledger.ts'

/** The business object of an entry, such as `{ type: 'order', id }`. */
export interface LedgerReference {
  readonly type: string
  readonly id: string
}

export interface NewPosting {
  readonly account: LedgerAccount
  readonly amount_credits: number
  readonly lot_id: string | null
}

export interface NewJournalEntry {
  readonly kind: JournalEntryKind
  /** Signed from the wallet's point of view: holds and captures are negative. */
  readonly amount_credits: number
  readonly reference: LedgerReference
  readonly hold_id?: string | null
  readonly note?: string | null
  readonly postings: readonly NewPosting[]
}

/** Rows that are written in the same statement as the entries and balances. */
export interface LedgerChanges {
  readonly moves: CreditLotMove[]
  readonly lots: NewCreditLot[]
  readonly holds: NewCreditHold[]
  readonly resolutions: HoldResolution[]
  readonly lines: NewChargeLine[]
  readonly settled: SettledChargeLine[]
  readonly deadlines: NewBillingDeadline[]
  readonly cleared: { kind: string; subject_id: string }[]
}

/**
 * The ledger of one organization, locked in a transaction. Entries are collected in memory; `flushLedgerSession` writes
 * them and all dependent rows in one statement.
 */
export interface LedgerSession {
  readonly tx: Tx
  readonly actor: Actor
  readonly now: OrganizationTime
  readonly head: LedgerHeadRow
  /** Balances when the session was opened. */
  readonly openingBalances: ReadonlyMap<LedgerAccount, number>
  /** Balances after the entries of this session. */
  readonly balances: Map<LedgerAccount, number>
  /** Lots with available credits in allocation order, including expired ones. */
  readonly lots: readonly SpendableLotRow[]
  readonly entries: (HashedJournalEntry & { readonly hash: string })[]
  readonly changes: LedgerChanges
}

/** Locks the ledger of an organization until the end of the transaction, for callers that write other rows first. */
export async function lockLedger(tx: Tx, organization: string): Promise<void> {
  await lockLedgerHead(tx, organization)
}

/** Locks the ledger of the actor's organization until the end of the transaction, then reads it. */
export async function openLedgerSession(tx: Tx, actor: Actor): Promise<LedgerSession> {
  const head = await lockLedgerHead(tx, actor.organization)
  // A second statement, because the snapshot of the one that waited for the lock is older than the lock.
  const { balances, lots } = await findBalancesAndLots(tx, actor.organization)
  return {
    tx,
    actor,
    now: actor.clock.now(),
    head,
    openingBalances: balances,
    balances: new Map(balances),
    lots,
    entries: [],
    changes: { moves: [], lots: [], holds: [], resolutions: [], lines: [], settled: [], deadlines: [], cleared: [] },
  }
}

const balanceOf = (ledger: LedgerSession, account: LedgerAccount): number => ledger.balances.get(account) ?? 0

/** Appends one balanced entry to the chain and returns its id. */
export function appendJournalEntry(ledger: LedgerSession, entry: NewJournalEntry): string {
  const { actor, head, balances, entries } = ledger
  const sum = entry.postings.reduce((total, posting) => total + posting.amount_credits, 0)
  assertInvariant(sum === 0 && entry.postings.length > 1, `a ${entry.kind} entry must sum to zero`)
  for (const { account, amount_credits } of entry.postings) {
    assertInvariant(Number.isSafeInteger(amount_credits) && amount_credits !== 0, 'credit amounts must be integers')
    balances.set(account, balanceOf(ledger, account) + amount_credits)
  }
  const last = entries.at(-1) ?? head
  const chainEntry: HashedJournalEntry = {
    organization_id: actor.organization,
    position: last.position + 1,
    id: newId(),
    kind: entry.kind,
    amount_credits: entry.amount_credits,
    available_after_credits: balanceOf(ledger, 'wallet.available'),
    held_after_credits: balanceOf(ledger, 'wallet.held'),
    reference_type: entry.reference.type,
    reference_id: entry.reference.id,
    hold_id: entry.hold_id ?? null,
    actor_kind: actor.principal.kind,
    actor_id: actor.principal.id,
    operation: actor.operation,
    request_id: actor.requestId,
    idempotency_key: actor.claim?.key ?? null,
    note: entry.note ?? null,
    created_at: ledger.now.toISOString(),
    postings: entry.postings,
  }
  entries.push({ ...chainEntry, hash: hashJournalEntry(last.hash, chainEntry) })
  return chainEntry.id
}

/** Writes the entries of the session, and emits an event if the wallet fell below its threshold or to zero. */
export async function flushLedgerSession(ledger: LedgerSession): Promise<void> {
  await insertLedgerChanges(ledger.tx, ledger.actor.organization, ledger)
  await emitBalanceThresholdEvents(ledger)
}

/** One event per crossing: emitted on the transition, not on the level. */
async function emitBalanceThresholdEvents({
  tx,
  actor,
  head,
  openingBalances,
  balances,
}: LedgerSession): Promise<void> {
  const { low_balance_credits: threshold } = head
  const [before, after] = [openingBalances.get('wallet.available') ?? 0, balances.get('wallet.available') ?? 0]
  const wallet = { entity_type: 'organization', entity_id: actor.organization }
  const data = { available_credits: after, threshold_credits: threshold }
  if (before >= threshold && after < threshold)
    await emitEvent(tx, actor, { kind: 'credits.low_balance', ...wallet, data })
  if (before > 0 && after === 0) await emitEvent(tx, actor, { kind: 'credits.depleted', ...wallet, data })
}
