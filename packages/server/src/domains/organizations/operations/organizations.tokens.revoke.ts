import { organizationsTokensRevokeOperation } from '@swath/contract/operations/organizations.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requirePersonalToken, revokePersonalToken } from '../../identity/personal-tokens/personal-tokens.ts'
import { requireAuthorityOver } from '../membership.ts'

export const handler = defineHandler(organizationsTokensRevokeOperation, async (call, { token_id }) => {
  const row = await requirePersonalToken(call, token_id)
  await requireAuthorityOver(call, row.user_id)
  await revokePersonalToken(call, row)
  return { ok: true, id: row.id }
})
