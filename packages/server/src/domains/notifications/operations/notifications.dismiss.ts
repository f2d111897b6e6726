import { notificationsDismissOperation } from '@swath/contract/operations/notifications.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { readableProjectsSql } from '../../projects/access.ts'
import { inboxOwner, notificationNotFound } from '../inbox.ts'
import { dismiss } from '../store.ts'

export const dismissNotification = defineHandler(notificationsDismissOperation, async (call, input) => {
  const user = inboxOwner(call)
  if (user === null) throw notificationNotFound(input.notification_id)
  const scope = { organization: call.organization, user, projects: readableProjectsSql(call) }
  const isFound = await call.transaction((tx) => dismiss(tx, scope, input.notification_id, call.clock.now()))
  if (!isFound) throw notificationNotFound(input.notification_id)
  return { id: input.notification_id }
})
