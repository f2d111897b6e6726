import { usersSessionsListOperation } from '@swath/contract/operations/users.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toCompleteList } from '../../../engine/page.ts'
import { readOwnSessions } from '../../identity/account/user-sessions.ts'

export const handler = defineHandler(usersSessionsListOperation, async (call) =>
  toCompleteList('sessions', await readOwnSessions(call)),
)
