import { billingReconciliationCorrectDriftOperation } from '@swath/contract/operations/billing.reconciliation.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { listStoredFiles } from '../../reports/stored-files.ts'
import { runTransactionOrDryRun } from '../../ledger/dry-run.ts'
import { toActorInOrganization } from '../../organizations/all-organizations.ts'
import { correctStorageJournal, createReconciliationDependencies } from '../../usage/reconciliation/reconciliation.ts'
import { toCorrectionsResult } from '../../usage/reconciliation/reconciliation-response.ts'

/** A correction costs nothing: it never exceeds `max_credits`, and a dry run has no entries of the journal. */
export const handler = defineHandler(billingReconciliationCorrectDriftOperation, async (call, input) => {
  const { organization_id, asset_id = null, bytes_delta, reason, dry_run } = input
  const actor = await toActorInOrganization(call, organization_id)
  const { organization } = actor
  const dependencies = createReconciliationDependencies(call, listStoredFiles)
  return runTransactionOrDryRun(dependencies.db, { organization, dry_run }, async (tx) =>
    toCorrectionsResult(
      organization,
      await correctStorageJournal(tx, dependencies, actor, { asset_id, bytes_delta, reason }),
    ),
  )
})
