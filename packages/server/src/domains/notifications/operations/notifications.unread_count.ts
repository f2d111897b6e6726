import { notificationsUnreadCountOperation } from '@swath/contract/operations/notifications.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { findCallerInbox } from '../inbox.ts'
import { countUnreadNotifications } from '../store.ts'

export const handler = defineHandler(notificationsUnreadCountOperation, async (call) => {
  const inbox = findCallerInbox(call)
  if (inbox === null) return { unread_count: 0 }
  return { unread_count: await countUnreadNotifications(call.db, inbox) }
})
