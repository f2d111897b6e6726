import { notificationsMarkAllReadOperation } from '@swath/contract/operations/notifications.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { inboxOf } from '../inbox.ts'
import { markRead } from '../store.ts'

export const handler = defineHandler(notificationsMarkAllReadOperation, async (call) => {
  const inbox = inboxOf(call)
  if (inbox === null) return { marked_count: 0 }
  const found = await call.transaction((tx) => markRead(tx, inbox, null, call.clock.now()))
  return { marked_count: found }
})
