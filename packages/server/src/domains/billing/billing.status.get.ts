import { billingStatusGet } from '@swath/contract/operations/billing.ts'
import { handler } from '../../engine/handler.ts'
import { requireOwnOrganization } from '../organizations/membership.ts'
import { readBillingStatus } from './standing.ts'

export const getBillingStatus = handler(billingStatusGet, async (call, input) => {
  requireOwnOrganization(call, input.organization_id)
  return { billing_status: await readBillingStatus(call) }
})
