import { billingReconciliationBackfillMissing } from '@swath/contract/operations/billing.reconciliation.ts'
import { handler } from '../../engine/handler.ts'
import { listStoredAssets } from '../items/stored-assets.ts'
import { actIn } from '../organizations/named.ts'
import { groundOf, mendDrift } from './storage/reconciliation.ts'
import { correctedOf } from './storage/reconciliation-answers.ts'

export const backfillMissing = handler(billingReconciliationBackfillMissing, async (call, input) => {
  const actor = await actIn(call, input.organization_id)
  return correctedOf(actor.organization, await mendDrift(groundOf(call, listStoredAssets), actor, 'missing'))
})
