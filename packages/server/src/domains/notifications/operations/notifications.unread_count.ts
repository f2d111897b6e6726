import { notificationsUnreadCountOperation } from '@swath/contract/operations/notifications.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { readableProjectsSql } from '../../projects/access.ts'
import { inboxOwner } from '../inbox.ts'
import { countUnread } from '../store.ts'

export const countUnreadNotifications = defineHandler(notificationsUnreadCountOperation, async (call) => {
  const user = inboxOwner(call)
  if (user === null) return { unread_count: 0 }
  const scope = { organization: call.organization, user, projects: readableProjectsSql(call) }
  return { unread_count: await countUnread(call.db, scope) }
})
