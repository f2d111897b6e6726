import { holdAccounts, type Mode } from './accounts.ts'
import { chainStart, hashEntry } from './chain.ts'
import type { JournalEntry } from './journal.ts'
import type { LotColumn } from './store.books.ts'
import type { Kept } from './store.kept.ts'

/** Something that is not as it must be; `position` is null where it is no entry but what is kept beside the journal. */
export interface LedgerFault {
  readonly position: number | null
  readonly entry_id: string | null
  readonly fault: string
}

type LotFold = Record<Exclude<LotColumn, 'refunded'> | 'granted', number>

/** The journal as far as it was read, folded up. */
export interface Audit {
  last: { position: number; hash: string }
  entries: number
  readonly accounts: Map<string, number>
  readonly lots: Map<string, LotFold>
  /** What the entry before says of the wallet: so one change is one fault, and not one in every entry after it. */
  wallet: { available: number; held: number }
  faults: number
  /** The first hundred. */
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

/** What must be true of every entry, given what came before it. */
const rules: readonly ((entry: JournalEntry, before: Audit) => string | null)[] = [
  (entry, { last }) =>
    entry.position === last.position + 1 ? null : `the entry before has the position ${last.position}`,
  (entry) => (entry.postings.length > 1 ? null : 'an entry has two postings at least'),
  (entry) => (sumOf(entry) === 0 ? null : `the postings sum to ${sumOf(entry)}`),
  (entry) =>
    entry.postings.every(({ amount_credits: amount }) => Number.isSafeInteger(amount) && amount !== 0)
      ? null
      : 'credits are whole numbers',
  (entry, { last }) =>
    entry.hash === hashEntry(last.hash, entry) ? null : 'the hash is not that of what the entry says',
  ...(['available', 'held'] as const).map((part) => (entry: JournalEntry, { wallet }: Audit) => {
    const [said, moved] = [entry[`${part}_after_credits`], wallet[part] + sumOf(entry, `wallet.${part}`)]
    return said === moved ? null : `${said} credits are said to be ${part} afterwards, and it must be ${moved}`
  }),
  ...(['available', 'held'] as const).map(
    (part) => (entry: JournalEntry) =>
      entry[`${part}_after_credits`] >= 0 ? null : `fewer than no credits are ${part} afterwards`,
  ),
]

/** Judges the next entry by those before it, and adds it to them. */
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
  // A lot comes into the journal with the credits that it was granted.
  if (!lots.has(id)) lot.granted = amount_credits
  lots.set(id, lot)
  const column = columnOf[account]
  if (column) lot[column] += amount_credits
  if (entry.kind === 'expire' && column === 'available') lot.expired -= amount_credits
}

/** Compares the journal, read up to the moment at which it was looked at, with what is kept of it. */
export function auditKept(audit: Audit, kept: Kept): void {
  const end = audit.last
  const head = kept.head ?? { position: 0, hash: chainStart }
  if (head.position !== end.position || head.hash !== end.hash) {
    report(audit, null, `the chain is said to end at ${head.position} with ${head.hash}, and ends at ${end.position}`)
  }
  for (const name of new Set([...audit.accounts.keys(), ...Object.keys(kept.accounts)])) {
    compare(audit, `the balance of ${name}`, kept.accounts[name] ?? 0, audit.accounts.get(name) ?? 0)
  }
  for (const [mode, { held }] of Object.entries(holdAccounts) as [Mode, (typeof holdAccounts)[Mode]][]) {
    compare(audit, `what open holds say of ${held}`, kept.open[mode] ?? 0, audit.accounts.get(held) ?? 0)
  }
  auditLots(audit, kept)
}

function auditLots(audit: Audit, kept: Kept): void {
  const none: LotFold = { granted: 0, available: 0, held: 0, captured: 0, expired: 0 }
  for (const lot of kept.lots) {
    const fold = audit.lots.get(lot.id) ?? none
    for (const column of Object.keys(none) as (keyof LotFold)[]) {
      compare(audit, `what is ${column} of lot ${lot.id}`, lot[column], fold[column])
    }
  }
  const ids = new Set(kept.lots.map((lot) => lot.id))
  for (const id of audit.lots.keys()) if (!ids.has(id)) report(audit, null, `there is no lot ${id}`)
}

function compare(audit: Audit, what: string, kept: number, folded: number): void {
  if (kept !== folded) report(audit, null, `${what} is kept as ${kept}, and is ${folded} by the journal`)
}
