import { billingRunMonthlyCron } from '@swath/contract/operations/billing.admin.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { listOrganizations } from '../../organizations/all-organizations.ts'
import { forEachOrganization } from '../billing-cycle/for-each-organization.ts'
import { closeBillingMonth, toMonthlyRun } from '../billing-cycle/close-billing-month.ts'

export const runMonthlyBillingForAll = defineHandler(billingRunMonthlyCron, async (call) => {
  const organizations = (await listOrganizations(call.unscoped)).filter(({ status }) => status !== 'deleted')
  const { results, failures } = await forEachOrganization(
    call,
    organizations.map(({ id }) => id),
    async (tx, actor) => toMonthlyRun(actor.organization, await closeBillingMonth(tx, actor)),
  )
  return { runs: [...results], failures: [...failures] }
})
