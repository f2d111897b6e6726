import type { DryRun } from '@swath/contract/schemas/spend.ts'
import type { Call } from '../../engine/call.ts'
import { listEntriesOfTransaction, type JournalEntryRowWithPostings } from './store.entries.ts'

/** Does the work as a call whose transactions are rolled back; its output names the entries that they wrote to the journal. */
export async function executeDryRun<Output extends object>(
  call: Call,
  work: (call: Call) => Promise<Output>,
): Promise<Output & { readonly dry_run: DryRun }> {
  const entries: DryRun['entries'] = []
  const output = await work(
    call.asDryRun(async (tx) => {
      entries.push(...(await listEntriesOfTransaction(tx, call.organization)).map(toDryRunEntry))
    }),
  )
  return { ...output, dry_run: { entries } }
}

const toDryRunEntry = (row: JournalEntryRowWithPostings): DryRun['entries'][number] => ({
  kind: row.kind,
  amount_credits: row.amount_credits,
  available_after_credits: row.available_after_credits,
  held_after_credits: row.held_after_credits,
  postings: (row.postings ?? []).map(({ account, amount_credits }) => ({ account, amount_credits })),
})
