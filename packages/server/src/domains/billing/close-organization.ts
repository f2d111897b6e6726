import type { Tx } from '../../platform/database/database.ts'
import type { Actor } from '../../engine/actor.ts'
import { backgroundTaskTypes } from '../../engine/task-types.ts'
import type { LedgerAccount } from '../ledger/accounts.ts'
import { publishPrincipalChange } from '../identity/principal-changes.ts'
import { flushLedgerSession, openLedgerSession } from '../ledger/ledger-session.ts'
import { writeOffLots } from '../ledger/lots.ts'
import { markOrganizationDeleted } from '../organizations/store.ts'

/** Accounts that must be zero, because open holds and accruals are settled and invoiced before an organization closes. */
const inProgressAccounts: readonly LedgerAccount[] = [
  'wallet.held',
  'card.authorised',
  'enterprise.held',
  'enterprise.accrued',
]

/**
 * Closes an organization whose deletion date has passed: writes off its wallet and revokes the access of its members and
 * API keys; a task deletes its imagery and files. The journal, invoices and the audit trail stay. Returns the written-off credits; null if charges are open, or the deletion was completed or cancelled elsewhere.
 */
export async function closeDeletedOrganization(tx: Tx, actor: Actor): Promise<number | null> {
  const ledger = await openLedgerSession(tx, actor)
  if (inProgressAccounts.some((account) => (ledger.balances.get(account) ?? 0) !== 0)) return null
  if (!(await markOrganizationDeleted(tx, actor.organization, ledger.now))) return null
  await actor.queue.enqueue(tx, backgroundTaskTypes.purgeOrganization, { organization_id: actor.organization })
  await publishPrincipalChange(tx, `organization:${actor.organization}`)
  const expired_credits = writeOffLots(ledger, ledger.lots)
  await flushLedgerSession(ledger)
  return expired_credits
}
