import { notificationsDismissOperation } from '@swath/contract/operations/notifications.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { findCallerInbox, notificationNotFound } from '../inbox.ts'
import { markNotificationDismissed } from '../store.ts'

export const handler = defineHandler(notificationsDismissOperation, async (call, input) => {
  const inbox = findCallerInbox(call)
  if (inbox === null) throw notificationNotFound(input.notification_id)
  const isFound = await call.transaction((tx) =>
    markNotificationDismissed(tx, inbox, input.notification_id, call.clock.now()),
  )
  if (!isFound) throw notificationNotFound(input.notification_id)
  return { id: input.notification_id }
})
