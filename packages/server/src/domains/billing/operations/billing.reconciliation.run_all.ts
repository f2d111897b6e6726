import { billingReconciliationRunAllOperation } from '@swath/contract/operations/billing.reconciliation.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { actorInOrganization } from '../../../engine/actor.ts'
import { listStoredFiles } from '../../reports/stored-files.ts'
import { listEveryOrganizationId } from '../../organizations/all-organizations.ts'
import {
  createReconciliationDependencies,
  reconcileStorageOfAllOrganizations,
} from '../../usage/reconciliation/reconciliation.ts'
import { toReconciliationRun } from '../../usage/reconciliation/reconciliation-response.ts'

export const handler = defineHandler(billingReconciliationRunAllOperation, async (call, input) => {
  const dependencies = createReconciliationDependencies(call, listStoredFiles)
  const runs = await reconcileStorageOfAllOrganizations(
    dependencies,
    listEveryOrganizationId,
    (id) => actorInOrganization(call, id),
    input.threshold_bytes,
  )
  return { runs: runs.map(toReconciliationRun), flagged_count: runs.filter((run) => run.flagged).length }
})
