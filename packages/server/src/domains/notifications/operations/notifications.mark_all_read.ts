import { notificationsMarkAllReadOperation } from '@swath/contract/operations/notifications.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { findCallerInbox } from '../inbox.ts'
import { markNotificationsRead } from '../store.ts'

export const handler = defineHandler(notificationsMarkAllReadOperation, async (call) => {
  const inbox = findCallerInbox(call)
  if (inbox === null) return { marked_count: 0 }
  const found = await call.transaction((tx) => markNotificationsRead(tx, inbox, null, call.clock.now()))
  return { marked_count: found }
})
