import { billingReconciliationCorrectDrift } from '@swath/contract/operations/billing.reconciliation.ts'
import { handler } from '../../engine/handler.ts'
import { listStoredAssets } from '../items/stored-assets.ts'
import { actIn } from '../organizations/named.ts'
import { correctByHand, groundOf } from './storage/reconciliation.ts'
import { correctedOf } from './storage/reconciliation-answers.ts'

export const correctDrift = handler(billingReconciliationCorrectDrift, async (call, input) => {
  const { organization_id, asset_id = null, bytes_delta, reason } = input
  const actor = await actIn(call, organization_id)
  const terms = { asset_id, bytes_delta, reason }
  return correctedOf(actor.organization, await correctByHand(groundOf(call, listStoredAssets), actor, terms))
})
