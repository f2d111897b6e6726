import { notificationsMarkAllReadOperation } from '@swath/contract/operations/notifications.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { readableProjectsSql } from '../../projects/access.ts'
import { inboxOwner } from '../inbox.ts'
import { markRead } from '../store.ts'

export const markAllNotificationsRead = defineHandler(notificationsMarkAllReadOperation, async (call) => {
  const user = inboxOwner(call)
  if (user === null) return { marked_count: 0 }
  const scope = { organization: call.organization, user, projects: readableProjectsSql(call) }
  const found = await call.transaction((tx) => markRead(tx, scope, null, call.clock.now()))
  return { marked_count: found }
})
