import { billingRunMonthlyCron } from '@swath/contract/operations/billing.admin.ts'
import { handler } from '../../engine/handler.ts'
import { listOrganizations } from '../organizations/named.ts'
import { forEachOrganization } from './months/each-organization.ts'
import { runMonth, runOf } from './months/run-month.ts'

export const runMonthlyForAll = handler(billingRunMonthlyCron, async (call) => {
  const kept = (await listOrganizations(call.across)).filter(({ status }) => status !== 'deleted')
  const { done, failures } = await forEachOrganization(
    call,
    kept.map(({ id }) => id),
    async (tx, actor) => runOf(actor.organization, await runMonth(tx, actor)),
  )
  return { runs: [...done], failures: [...failures] }
})
