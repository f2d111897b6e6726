import { organizationsScimTokensListOperation } from '@swath/contract/operations/organizations.scim_tokens.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toListPage } from '../../../engine/page.ts'
import { toScimToken } from '../federation/scim-tokens.ts'
import { listScimTokens } from '../federation/store.scim-tokens.ts'

export const handler = defineHandler(organizationsScimTokensListOperation, async (call, input) => {
  const { rows, total } = await listScimTokens(call.db, call.organization, input)
  return toListPage('scim_tokens', { rows: rows.map(toScimToken), total }, input)
})
