import { organizationsTokensListOperation } from '@swath/contract/operations/organizations.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toListPage } from '../../../engine/page.ts'
import { toPersonalToken } from '../../identity/personal-tokens/personal-tokens.ts'
import { listPersonalTokens } from '../../identity/personal-tokens/store.personal-tokens.ts'
import { createUnknownMemberProblem } from '../membership.ts'
import { findMembership } from '../store.ts'

export const handler = defineHandler(organizationsTokensListOperation, async (call, input) => {
  const { user_id: user = null, limit, offset } = input
  if (user !== null && !(await findMembership(call.db, call.organization, user))) throw createUnknownMemberProblem(user)
  const { rows, total } = await listPersonalTokens(call.db, call.organization, { user, limit, offset })
  const tokens = rows.map((row) => ({
    ...toPersonalToken(row),
    user_id: row.user_id,
    user_email: row.user_email,
    user_name: row.user_name,
  }))
  return toListPage('tokens', { rows: tokens, total }, input)
})
