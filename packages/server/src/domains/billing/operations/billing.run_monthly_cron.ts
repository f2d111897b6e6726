import { billingRunMonthlyCronOperation } from '@swath/contract/operations/billing.admin.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { listOrganizations } from '../../organizations/all-organizations.ts'
import { forEachOrganization } from '../for-each-organization.ts'
import { closeBillingMonth, toMonthlyRun } from '../../invoicing/billing-cycle/close-billing-month.ts'
import { addMonthlyGrant } from '../free-tier.ts'

export const runMonthlyBillingForAll = defineHandler(billingRunMonthlyCronOperation, async (call) => {
  const organizations = (await listOrganizations(call.unscoped)).filter(({ status }) => status !== 'deleted')
  const { results, failures } = await forEachOrganization(
    call,
    organizations.map(({ id }) => id),
    async (tx, actor) => toMonthlyRun(actor.organization, await closeBillingMonth(tx, actor, addMonthlyGrant)),
  )
  return { runs: [...results], failures: [...failures] }
})
