import { holdAccounts, type Mode } from './accounts.ts'
import { chainStart, hashEntry } from './chain.ts'
import type { JournalEntry } from './journal.ts'
import type { LotColumn } from './store.books.ts'
import type { Kept } from './store.kept.ts'

/** A violated rule; `position` is null if it concerns a derived total (balance, lot, hold) and not an entry. */
export interface LedgerFault {
  readonly position: number | null
  readonly entry_id: string | null
  readonly fault: string
}

type LotFold = Record<Exclude<LotColumn, 'refunded'> | 'granted', number>

/** Running totals over the part of the journal that was read so far. */
export interface Audit {
  last: { position: number; hash: string }
  entries: number
  readonly accounts: Map<string, number>
  readonly lots: Map<string, LotFold>
  /** The wallet after the previous entry as that entry records it, so that one wrong entry is reported once. */
  wallet: { available: number; held: number }
  faults: number
  /** At most 100. */
  readonly found: LedgerFault[]
}

const most_faults = 100

export const beginAudit = (): Audit => ({
  last: { position: 0, hash: chainStart },
  entries: 0,
  accounts: new Map(),
  lots: new Map(),
  wallet: { available: 0, held: 0 },
  faults: 0,
  found: [],
})

function report(audit: Audit, entry: Pick<JournalEntry, 'position' | 'id'> | null, fault: string): void {
  audit.faults += 1
  if (audit.found.length >= most_faults) return
  audit.found.push({ position: entry?.position ?? null, entry_id: entry?.id ?? null, fault })
}

const sumOf = (entry: JournalEntry, account?: string): number =>
  entry.postings
    .filter((posting) => account === undefined || posting.account === account)
    .reduce((sum, posting) => sum + posting.amount_credits, 0)

/** Rules that every entry must satisfy, given the entries before it. */
const rules: readonly ((entry: JournalEntry, before: Audit) => string | null)[] = [
  (entry, { last }) =>
    entry.position === last.position + 1 ? null : `the previous entry has position ${last.position}`,
  (entry) => (entry.postings.length > 1 ? null : 'an entry must have at least two postings'),
  (entry) => (sumOf(entry) === 0 ? null : `the postings sum to ${sumOf(entry)}`),
  (entry) =>
    entry.postings.every(({ amount_credits: amount }) => Number.isSafeInteger(amount) && amount !== 0)
      ? null
      : 'credit amounts must be integers',
  (entry, { last }) =>
    entry.hash === hashEntry(last.hash, entry) ? null : 'the hash does not match the content of the entry',
  ...(['available', 'held'] as const).map((part) => (entry: JournalEntry, { wallet }: Audit) => {
    const [said, moved] = [entry[`${part}_after_credits`], wallet[part] + sumOf(entry, `wallet.${part}`)]
    return said === moved ? null : `the entry records ${said} ${part} credits after it, but the postings give ${moved}`
  }),
  ...(['available', 'held'] as const).map(
    (part) => (entry: JournalEntry) =>
      entry[`${part}_after_credits`] >= 0 ? null : `the ${part} credits after the entry are negative`,
  ),
]

/** Checks the next entry against the ones before it and adds it to the totals. */
export function auditEntry(audit: Audit, entry: JournalEntry): void {
  for (const rule of rules) {
    const fault = rule(entry, audit)
    if (fault !== null) report(audit, entry, fault)
  }
  for (const posting of entry.postings) {
    add(audit.accounts, posting.account, posting.amount_credits)
    if (posting.lot_id !== null) moveLot(audit, entry, posting.lot_id, posting)
  }
  audit.wallet = { available: entry.available_after_credits, held: entry.held_after_credits }
  audit.last = { position: entry.position, hash: entry.hash }
  audit.entries += 1
}

const add = (sums: Map<string, number>, name: string, amount: number): void => {
  sums.set(name, (sums.get(name) ?? 0) + amount)
}

/** The column of a lot that a posting to an account changes. */
const columnOf: Readonly<Record<string, keyof LotFold>> = {
  'wallet.available': 'available',
  'wallet.held': 'held',
  revenue: 'captured',
}

function moveLot(
  { lots }: Audit,
  entry: JournalEntry,
  id: string,
  { account, amount_credits }: { account: string; amount_credits: number },
): void {
  const lot = lots.get(id) ?? { granted: 0, available: 0, held: 0, captured: 0, expired: 0 }
  // The first posting of a lot is its grant.
  if (!lots.has(id)) lot.granted = amount_credits
  lots.set(id, lot)
  const column = columnOf[account]
  if (column) lot[column] += amount_credits
  if (entry.kind === 'expire' && column === 'available') lot.expired -= amount_credits
}

/** Compares the totals of the journal with the stored balances, lots and holds of the same moment. */
export function auditKept(audit: Audit, kept: Kept): void {
  const end = audit.last
  const head = kept.head ?? { position: 0, hash: chainStart }
  if (head.position !== end.position || head.hash !== end.hash) {
    report(
      audit,
      null,
      `the stored chain head is position ${head.position} with hash ${head.hash}, but the journal ends at ${end.position}`,
    )
  }
  for (const name of new Set([...audit.accounts.keys(), ...Object.keys(kept.accounts)])) {
    compare(audit, `the balance of ${name}`, kept.accounts[name] ?? 0, audit.accounts.get(name) ?? 0)
  }
  for (const [mode, { held }] of Object.entries(holdAccounts) as [Mode, (typeof holdAccounts)[Mode]][]) {
    compare(audit, `the sum of open holds in ${held}`, kept.open[mode] ?? 0, audit.accounts.get(held) ?? 0)
  }
  auditLots(audit, kept)
}

function auditLots(audit: Audit, kept: Kept): void {
  const none: LotFold = { granted: 0, available: 0, held: 0, captured: 0, expired: 0 }
  for (const lot of kept.lots) {
    const fold = audit.lots.get(lot.id) ?? none
    for (const column of Object.keys(none) as (keyof LotFold)[]) {
      compare(audit, `the ${column} credits of lot ${lot.id}`, lot[column], fold[column])
    }
  }
  const ids = new Set(kept.lots.map((lot) => lot.id))
  for (const id of audit.lots.keys()) if (!ids.has(id)) report(audit, null, `lot ${id} is missing`)
}

function compare(audit: Audit, what: string, kept: number, folded: number): void {
  if (kept !== folded) report(audit, null, `${what} is stored as ${kept}, but the journal gives ${folded}`)
}
