import { organizationsSecurityGetOperation } from '@swath/contract/operations/organizations.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { readOrganizationSecurity } from '../../identity/second-factor/organization-security.ts'

export const handler = defineHandler(organizationsSecurityGetOperation, async (call) => ({
  security: await readOrganizationSecurity(call),
}))
