import type { DryRun } from '@swath/contract/schemas/spend.ts'
import type { Call } from '../../engine/call.ts'
import type { DbConnection, Tx } from '../../platform/database/database.ts'
import { runAndRollBack } from '../../platform/database/run-and-roll-back.ts'
import { listEntriesOfTransaction, type JournalEntryRowWithPostings } from './store.entries.ts'

/** Does the work as a call whose transactions are rolled back; its output names the entries that they wrote to the journal. */
export async function executeDryRun<Output extends object>(
  call: Call,
  work: (call: Call) => Promise<Output>,
): Promise<Output & { readonly dry_run: DryRun }> {
  const entries: DryRun['entries'] = []
  const output = await work(
    call.asDryRun(async (tx) => {
      entries.push(...(await listDryRunEntries(tx, call.organization)))
    }),
  )
  return { ...output, dry_run: { entries } }
}

/**
 * Does the work of an operator in one transaction of the organization that he names. A dry run rolls it back and names the
 * entries that it wrote to the journal.
 */
export async function runTransactionOrDryRun<Output extends object>(
  db: DbConnection,
  { organization, dry_run = false }: { readonly organization: string; readonly dry_run?: boolean },
  work: (tx: Tx) => Promise<Output>,
): Promise<Output & { readonly dry_run?: DryRun }> {
  if (!dry_run) return db.transaction(work)
  let entries: DryRun['entries'] = []
  const output = await runAndRollBack(db, work, async (tx) => {
    entries = await listDryRunEntries(tx, organization)
  })
  return { ...output, dry_run: { entries } }
}

const listDryRunEntries = async (tx: Tx, organization: string): Promise<DryRun['entries']> =>
  (await listEntriesOfTransaction(tx, organization)).map(toDryRunEntry)

const toDryRunEntry = (row: JournalEntryRowWithPostings): DryRun['entries'][number] => ({
  organization_id: row.organization_id,
  kind: row.kind,
  amount_credits: row.amount_credits,
  available_after_credits: row.available_after_credits,
  held_after_credits: row.held_after_credits,
  postings: (row.postings ?? []).map(({ account, amount_credits }) => ({ account, amount_credits })),
})
