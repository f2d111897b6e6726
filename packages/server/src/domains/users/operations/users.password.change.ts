import { usersPasswordChangeOperation } from '@swath/contract/operations/users.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { changeOwnPassword } from '../../identity/account/change-password.ts'

export const handler = defineHandler(usersPasswordChangeOperation, async (call, input) => ({
  ended_sessions: await changeOwnPassword(call, input),
}))
