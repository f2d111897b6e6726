import { usersTokensRevokeOperation } from '@swath/contract/operations/users.tokens.ts'
import { defineHandler } from '../../../engine/handler.ts'
import {
  createUnknownTokenProblem,
  requirePersonalToken,
  revokePersonalToken,
} from '../../identity/personal-tokens/personal-tokens.ts'

export const handler = defineHandler(usersTokensRevokeOperation, async (call, { token_id }) => {
  const row = await requirePersonalToken(call, token_id)
  if (row.user_id !== call.principal.id) throw createUnknownTokenProblem(token_id)
  await revokePersonalToken(call, row)
  return { ok: true, id: row.id }
})
