import { usersSessionsListOperation } from '@swath/contract/operations/users.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toCompleteList } from '../../../engine/page.ts'
import { requireOwnAccount } from '../../identity/account/confirm.ts'
import { readOwnSessions } from '../../identity/account/user-sessions.ts'

export const handler = defineHandler(usersSessionsListOperation, async (call) => {
  requireOwnAccount(call)
  return toCompleteList('sessions', await readOwnSessions(call))
})
