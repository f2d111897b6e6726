import { billingStatusGetOperation } from '@swath/contract/operations/billing.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireOwnOrganization } from '../../organizations/membership.ts'
import { readBillingStatus } from '../account-status.ts'

export const handler = defineHandler(billingStatusGetOperation, async (call, input) => {
  requireOwnOrganization(call, input.organization_id)
  return { billing_status: await readBillingStatus(call) }
})
