import { billingReconciliationDetectDrift } from '@swath/contract/operations/billing.reconciliation.ts'
import { wholeWindow } from '@swath/contract/paging.ts'
import { handler } from '../../engine/handler.ts'
import { listStoredAssets } from '../items/stored-assets.ts'
import { actIn } from '../organizations/named.ts'
import { compareStorage, groundOf } from './storage/reconciliation.ts'

export const detectDrift = handler(billingReconciliationDetectDrift, async (call, input) => {
  const { organization } = await actIn(call, input.organization_id)
  const drifts = [...(await compareStorage(groundOf(call, listStoredAssets), organization)).drifts]
  return { drifts, ...wholeWindow(drifts) }
})
