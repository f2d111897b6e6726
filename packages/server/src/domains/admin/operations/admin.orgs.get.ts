import { adminOrgsGetOperation } from '@swath/contract/operations/admin.orgs.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { readWalletBalance } from '../../ledger/ledger.ts'
import { requireOrganizationForOperator, toOrganizationForOperator } from '../organization-for-operator.ts'

export const handler = defineHandler(adminOrgsGetOperation, async (call, { organization_id }) => {
  const row = await requireOrganizationForOperator(call, organization_id)
  const now = call.clocks.forOrganization(row.id).now()
  const { available_credits } = await readWalletBalance(call.unscoped, row.id, now)
  const { slug, country, billing_email, member_count } = row
  return { ...toOrganizationForOperator(row), slug, country, billing_email, member_count, available_credits }
})
