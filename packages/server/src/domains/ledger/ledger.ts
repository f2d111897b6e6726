import { assertInvariant } from '../../engine/problem.ts'
import type { OrganizationTime } from '../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import type { Actor } from '../../engine/actor.ts'
import type { LedgerAccount } from './accounts.ts'
import {
  flushLedgerSession,
  openLedgerSession,
  appendJournalEntry,
  type LedgerSession,
  type NewJournalEntry,
  type LedgerReference,
} from './ledger-session.ts'
import { writeOffExpiredLots, writeOffLots, deductFromLots } from './lots.ts'
import type { SpendableLotRow } from './ledger-changes.ts'
import { findBalancesAndLots } from './store.ledger.ts'

/** Opens a ledger session, runs `work`, which appends entries, and writes them. */
export async function withLedgerSession<T>(tx: Tx, actor: Actor, work: (ledger: LedgerSession) => T): Promise<T> {
  const ledger = await openLedgerSession(tx, actor)
  const result = work(ledger)
  await flushLedgerSession(ledger)
  return result
}

/** Writes one balanced entry that changes no lots; returns its id. */
export const postJournalEntry = (tx: Tx, actor: Actor, entry: NewJournalEntry): Promise<string> =>
  withLedgerSession(tx, actor, (ledger) => appendJournalEntry(ledger, entry))

export type CreditGrantKind = 'purchase' | 'auto_topup' | 'grant_signup' | 'grant_monthly' | 'grant_manual'

export interface CreditGrant {
  readonly kind: CreditGrantKind
  readonly amount_credits: number
  readonly reference: LedgerReference
  /** Lots with a lower number are used first. Free credits have 10, purchased credits 50 (the default). */
  readonly priority?: number
  readonly expires_at?: Date | null
  readonly note?: string
}

const offsetAccounts: Record<CreditGrantKind, LedgerAccount> = {
  purchase: 'stripe.clearing',
  auto_topup: 'stripe.clearing',
  grant_signup: 'promo.expense',
  grant_monthly: 'promo.expense',
  grant_manual: 'promo.expense',
}

/** The time before its expiry at which a lot is announced as expiring. */
const expiry_warning_ms = 7 * 86_400_000

/** Grants credits: adds a lot to the wallet. */
export async function grantCredits(
  tx: Tx,
  actor: Actor,
  options: CreditGrant,
): Promise<{ entry_id: string; lot_id: string }> {
  return withLedgerSession(tx, actor, (ledger) => addCreditGrant(ledger, options))
}

export function addCreditGrant(ledger: LedgerSession, options: CreditGrant): { entry_id: string; lot_id: string } {
  const { kind, amount_credits, reference, expires_at = null } = options
  assertInvariant(
    Number.isSafeInteger(amount_credits) && amount_credits > 0,
    'the amount of a grant must be a positive integer',
  )
  const lot_id = newId()
  const { changes, now } = ledger
  changes.lots.push({
    id: lot_id,
    kind,
    priority: options.priority ?? 50,
    expires_at,
    available_credits: amount_credits,
    created_at: now,
  })
  if (expires_at !== null) {
    const warn_at = new Date(Math.max(expires_at.getTime() - expiry_warning_ms, now.getTime()))
    changes.deadlines.push(
      { kind: 'lot-expiry', subject_id: lot_id, due_at: expires_at },
      { kind: 'lot-warning', subject_id: lot_id, due_at: warn_at },
    )
  }
  const entry_id = appendJournalEntry(ledger, {
    kind,
    amount_credits,
    reference,
    note: options.note ?? null,
    postings: [
      { account: 'wallet.available', amount_credits, lot_id },
      { account: offsetAccounts[kind], amount_credits: -amount_credits, lot_id: null },
    ],
  })
  return { entry_id, lot_id }
}

/** Deducts credits manually in allocation order; throws if too few are available. Returns the id of the entry. */
export const deductCredits = (
  tx: Tx,
  actor: Actor,
  options: { amount_credits: number; reference: LedgerReference; note: string },
): Promise<string> =>
  withLedgerSession(tx, actor, (ledger) => deductFromLots(ledger, { kind: 'adjust', to: 'promo.expense', ...options }))

/** Writes off the available credits of expired lots; returns how many. */
export const expireDueLots = (tx: Tx, actor: Actor): Promise<number> =>
  withLedgerSession(tx, actor, writeOffExpiredLots)

/** Writes off the available credits of all lots of these kinds, expired or not; returns how many. */
export const expireLotsOfKinds = (tx: Tx, actor: Actor, kinds: readonly string[]): Promise<number> =>
  withLedgerSession(tx, actor, (ledger) =>
    writeOffLots(
      ledger,
      ledger.lots.filter((lot) => kinds.includes(lot.kind)),
    ),
  )

export interface CreditBalance {
  readonly available_credits: number
  readonly held_credits: number
  readonly lots: readonly SpendableLotRow[]
}

/** The spendable balance: expired lots do not count, even if they are not written off yet. */
export async function readWalletBalance(
  db: SqlStatementRunner,
  organization: string,
  now: OrganizationTime,
): Promise<CreditBalance> {
  const { balances, lots } = await findBalancesAndLots(db, organization)
  const expiredLots = lots.filter((lot) => lot.expires_at !== null && lot.expires_at.getTime() <= now.getTime())
  const expired_credits = expiredLots.reduce((sum, lot) => sum + lot.available_credits, 0)
  return {
    available_credits: (balances.get('wallet.available') ?? 0) - expired_credits,
    held_credits: balances.get('wallet.held') ?? 0,
    lots: lots.filter((lot) => !expiredLots.includes(lot)),
  }
}
