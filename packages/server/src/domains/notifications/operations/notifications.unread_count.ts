import { notificationsUnreadCountOperation } from '@swath/contract/operations/notifications.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { inboxOf } from '../inbox.ts'
import { countUnread } from '../store.ts'

export const handler = defineHandler(notificationsUnreadCountOperation, async (call) => {
  const inbox = inboxOf(call)
  if (inbox === null) return { unread_count: 0 }
  return { unread_count: await countUnread(call.db, inbox) }
})
