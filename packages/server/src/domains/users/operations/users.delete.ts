import { usersDeleteOperation } from '@swath/contract/operations/users.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireConfirmation } from '../../identity/account/confirm.ts'
import { deleteAccount } from '../../identity/account/delete-account.ts'
import { deleteNotificationsOfUser } from '../../notifications/store.recipients.ts'

export const handler = defineHandler(usersDeleteOperation, async (call, confirmation) => {
  const { id } = await requireConfirmation(call, confirmation, { isFreshEnough: false })
  const deleted_at = await deleteAccount(call, id, deleteNotificationsOfUser)
  return { user_id: id, deleted_at: deleted_at.toISOString() }
})
