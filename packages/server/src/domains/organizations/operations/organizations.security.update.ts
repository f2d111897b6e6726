import { organizationsSecurityUpdateOperation } from '@swath/contract/operations/organizations.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { changeSecondFactorRule, readOrganizationSecurity } from '../../identity/second-factor/organization-security.ts'

export const handler = defineHandler(organizationsSecurityUpdateOperation, async (call, { second_factor }) => {
  await changeSecondFactorRule(call, second_factor)
  return { security: await readOrganizationSecurity(call) }
})
