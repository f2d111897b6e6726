import { organizationsDomainsListOperation } from '@swath/contract/operations/organizations.domains.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toListPage } from '../../../engine/page.ts'
import { toOrganizationDomain } from '../federation/domains.ts'
import { listDomains } from '../federation/store.domains.ts'

export const handler = defineHandler(organizationsDomainsListOperation, async (call, input) => {
  const { rows, total } = await listDomains(call.db, call.organization, input)
  return toListPage('domains', { rows: rows.map(toOrganizationDomain), total }, input)
})
