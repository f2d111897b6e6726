import { notificationsMarkReadOperation } from '@swath/contract/operations/notifications.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { findCallerInbox, notificationNotFound } from '../inbox.ts'
import { markNotificationsRead } from '../store.ts'

export const handler = defineHandler(notificationsMarkReadOperation, async (call, input) => {
  const inbox = findCallerInbox(call)
  if (inbox === null) throw notificationNotFound(input.notification_id)
  const found = await call.transaction((tx) =>
    markNotificationsRead(tx, inbox, input.notification_id, call.clock.now()),
  )
  if (found === 0) throw notificationNotFound(input.notification_id)
  return { id: input.notification_id }
})
