import type { SqlStatementRunner } from '../../platform/database/database.ts'
import { type StoredJournalEntry, readJournalPages } from './journal.ts'
import { type LedgerSnapshot, findLedgerSnapshot } from './store.snapshot.ts'
import { type HoldPaymentMethodClass, holdAccounts } from './accounts.ts'
import { genesisHash } from '../../platform/crypto/hash-chain.ts'
import { hashJournalEntry } from './chain.ts'
import type { CreditLotColumn } from './ledger-changes.ts'

/** A violated rule; `position` is null if it concerns a derived total (balance, lot, hold) and not an entry. */
interface LedgerFault {
  readonly position: number | null
  readonly entry_id: string | null
  readonly fault: string
}

type LotTotals = Record<Exclude<CreditLotColumn, 'refunded'> | 'granted', number>

/** Running totals over the part of the journal that was read so far. */
interface LedgerAudit {
  last: { position: number; hash: string }
  entries: number
  readonly accounts: Map<string, number>
  readonly lots: Map<string, LotTotals>
  /** The wallet after the previous entry as that entry records it, so that one wrong entry is reported once. */
  wallet: { available: number; held: number }
  faultCount: number
  /** At most 100. */
  readonly reportedFaults: LedgerFault[]
}

const max_reported_faults = 100

const createLedgerAudit = (): LedgerAudit => ({
  last: { position: 0, hash: genesisHash },
  entries: 0,
  accounts: new Map(),
  lots: new Map(),
  wallet: { available: 0, held: 0 },
  faultCount: 0,
  reportedFaults: [],
})

function recordFault(
  audit: LedgerAudit,
  entry: Pick<StoredJournalEntry, 'position' | 'id'> | null,
  fault: string,
): void {
  audit.faultCount += 1
  if (audit.reportedFaults.length >= max_reported_faults) return
  audit.reportedFaults.push({ position: entry?.position ?? null, entry_id: entry?.id ?? null, fault })
}

const sumPostings = (entry: StoredJournalEntry, account?: string): number =>
  entry.postings
    .filter((posting) => account === undefined || posting.account === account)
    .reduce((sum, posting) => sum + posting.amount_credits, 0)

/** Rules that every entry must satisfy after the entries before it. */
const entryRules: readonly ((entry: StoredJournalEntry, before: LedgerAudit) => string | null)[] = [
  (entry, { last }) =>
    entry.position === last.position + 1 ? null : `the previous entry has position ${last.position}`,
  (entry) => (entry.postings.length > 1 ? null : 'an entry must have at least two postings'),
  (entry) => (sumPostings(entry) === 0 ? null : `the postings sum to ${sumPostings(entry)}`),
  (entry) =>
    entry.postings.every(({ amount_credits: amount }) => Number.isSafeInteger(amount) && amount !== 0)
      ? null
      : 'credit amounts must be integers',
  (entry, { last }) =>
    entry.hash === hashJournalEntry(last.hash, entry) ? null : 'the hash does not match the content of the entry',
  ...(['available', 'held'] as const).map((part) => (entry: StoredJournalEntry, { wallet }: LedgerAudit) => {
    const [recorded, expected] = [entry[`${part}_after_credits`], wallet[part] + sumPostings(entry, `wallet.${part}`)]
    return recorded === expected
      ? null
      : `the entry records ${recorded} ${part} credits after it, but the postings give ${expected}`
  }),
  ...(['available', 'held'] as const).map(
    (part) => (entry: StoredJournalEntry) =>
      entry[`${part}_after_credits`] >= 0 ? null : `the ${part} credits after the entry are negative`,
  ),
]

/** Checks the next entry against the ones before it and adds it to the totals. */
function auditEntry(audit: LedgerAudit, entry: StoredJournalEntry): void {
  for (const rule of entryRules) {
    const fault = rule(entry, audit)
    if (fault !== null) recordFault(audit, entry, fault)
  }
  for (const posting of entry.postings) {
    addToSum(audit.accounts, posting.account, posting.amount_credits)
    if (posting.lot_id !== null) applyLotPosting(audit, entry, posting.lot_id, posting)
  }
  audit.wallet = { available: entry.available_after_credits, held: entry.held_after_credits }
  audit.last = { position: entry.position, hash: entry.hash }
  audit.entries += 1
}

const addToSum = (sums: Map<string, number>, name: string, amount: number): void => {
  sums.set(name, (sums.get(name) ?? 0) + amount)
}

/** The column of a lot that a posting to an account changes. */
const lotColumnByAccount: Readonly<Record<string, keyof LotTotals>> = {
  'wallet.available': 'available',
  'wallet.held': 'held',
  revenue: 'captured',
}

function applyLotPosting(
  { lots }: LedgerAudit,
  entry: StoredJournalEntry,
  id: string,
  { account, amount_credits }: { account: string; amount_credits: number },
): void {
  const lot = lots.get(id) ?? { granted: 0, available: 0, held: 0, captured: 0, expired: 0 }
  // The first posting of a lot is its grant.
  if (!lots.has(id)) lot.granted = amount_credits
  lots.set(id, lot)
  const column = lotColumnByAccount[account]
  if (column) lot[column] += amount_credits
  if (entry.kind === 'expire' && column === 'available') lot.expired -= amount_credits
}

/** Compares the totals of the journal with the stored balances, lots and holds of the same moment. */
function auditSnapshot(audit: LedgerAudit, snapshot: LedgerSnapshot): void {
  const end = audit.last
  const head = snapshot.head ?? { position: 0, hash: genesisHash }
  if (head.position !== end.position || head.hash !== end.hash) {
    recordFault(
      audit,
      null,
      `the stored chain head is position ${head.position} with hash ${head.hash}, but the journal ends at ${end.position}`,
    )
  }
  for (const name of new Set([...audit.accounts.keys(), ...Object.keys(snapshot.accounts)])) {
    compareTotals(audit, `the balance of ${name}`, snapshot.accounts[name] ?? 0, audit.accounts.get(name) ?? 0)
  }
  for (const [mode, { heldAccount }] of Object.entries(holdAccounts) as [
    HoldPaymentMethodClass,
    (typeof holdAccounts)[HoldPaymentMethodClass],
  ][]) {
    compareTotals(
      audit,
      `the sum of open holds in ${heldAccount}`,
      snapshot.open[mode] ?? 0,
      audit.accounts.get(heldAccount) ?? 0,
    )
  }
  auditLots(audit, snapshot)
}

function auditLots(audit: LedgerAudit, snapshot: LedgerSnapshot): void {
  const zeroTotals: LotTotals = { granted: 0, available: 0, held: 0, captured: 0, expired: 0 }
  for (const lot of snapshot.lots) {
    const totals = audit.lots.get(lot.id) ?? zeroTotals
    for (const column of Object.keys(zeroTotals) as (keyof LotTotals)[]) {
      compareTotals(audit, `the ${column} credits of lot ${lot.id}`, lot[column], totals[column])
    }
  }
  const ids = new Set(snapshot.lots.map((lot) => lot.id))
  for (const id of audit.lots.keys()) if (!ids.has(id)) recordFault(audit, null, `lot ${id} is missing`)
}

function compareTotals(audit: LedgerAudit, label: string, snapshot: number, computed: number): void {
  if (snapshot !== computed)
    recordFault(audit, null, `${label} is stored as ${snapshot}, but the journal gives ${computed}`)
}

export interface LedgerAuditResult {
  readonly valid: boolean
  readonly entries: number
  /** The last entry of the journal. */
  readonly head: { readonly position: number; readonly hash: string }
  /** At most 100. */
  readonly faults: readonly LedgerFault[]
}

/**
 * Checks every journal entry of an organization, then the stored balances, lots and holds. The stored values are read
 * first, and the journal only up to its end at that moment, so that no lock is needed and concurrent writes do no harm.
 */
export async function verifyLedger(
  db: SqlStatementRunner,
  organization: string,
  signal?: AbortSignal,
): Promise<LedgerAuditResult> {
  const snapshot = await findLedgerSnapshot(db, organization)
  const audit = createLedgerAudit()
  for await (const page of readJournalPages(db, organization, { after: 0, until: snapshot.last })) {
    signal?.throwIfAborted()
    for (const entry of page) auditEntry(audit, entry)
  }
  auditSnapshot(audit, snapshot)
  return { valid: audit.faultCount === 0, entries: audit.entries, head: audit.last, faults: audit.reportedFaults }
}
