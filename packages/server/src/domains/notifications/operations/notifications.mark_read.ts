import { notificationsMarkReadOperation } from '@swath/contract/operations/notifications.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { readableProjectsSql } from '../../projects/access.ts'
import { inboxOwner, notificationNotFound } from '../inbox.ts'
import { markRead } from '../store.ts'

export const markNotificationRead = defineHandler(notificationsMarkReadOperation, async (call, input) => {
  const user = inboxOwner(call)
  if (user === null) throw notificationNotFound(input.notification_id)
  const scope = { organization: call.organization, user, projects: readableProjectsSql(call) }
  const found = await call.transaction((tx) => markRead(tx, scope, input.notification_id, call.clock.now()))
  if (found === 0) throw notificationNotFound(input.notification_id)
  return { id: input.notification_id }
})
