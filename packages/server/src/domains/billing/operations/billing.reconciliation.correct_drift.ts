import { billingReconciliationCorrectDriftOperation } from '@swath/contract/operations/billing.reconciliation.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { listStoredAssets } from '../../items/assets/stored-assets.ts'
import { actorFor } from '../../organizations/all-organizations.ts'
import { correctManually, reconciliationDependencies } from '../../usage/reconciliation/reconciliation.ts'
import { toCorrectionsResult } from '../../usage/reconciliation/reconciliation-response.ts'

export const correctStorageDrift = defineHandler(billingReconciliationCorrectDriftOperation, async (call, input) => {
  const { organization_id, asset_id = null, bytes_delta, reason } = input
  const actor = await actorFor(call, organization_id)
  const correction = { asset_id, bytes_delta, reason }
  return toCorrectionsResult(
    actor.organization,
    await correctManually(reconciliationDependencies(call, listStoredAssets), actor, correction),
  )
})
