import { usersTokensListOperation } from '@swath/contract/operations/users.tokens.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toCompleteList } from '../../../engine/page.ts'
import { toPersonalToken } from '../../identity/personal-tokens/personal-tokens.ts'
import { listPersonalTokensOfUser } from '../../identity/personal-tokens/store.personal-tokens.ts'

export const handler = defineHandler(usersTokensListOperation, async (call) => {
  const rows = await listPersonalTokensOfUser(call.db, call.organization, call.principal.id)
  return toCompleteList('tokens', rows.map(toPersonalToken))
})
