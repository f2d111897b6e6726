import { organizationsScimTokensRevokeOperation } from '@swath/contract/operations/organizations.scim_tokens.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { revokeScimToken, toScimToken } from '../federation/scim-tokens.ts'

export const handler = defineHandler(organizationsScimTokensRevokeOperation, async (call, { scim_token_id }) => {
  const id = scim_token_id.toLowerCase()
  const row = await call.unscoped.transaction((tx) => revokeScimToken(tx, call, id))
  return { scim_token: toScimToken(row) }
})
