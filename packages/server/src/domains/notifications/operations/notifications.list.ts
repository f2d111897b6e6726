import { notificationsListOperation } from '@swath/contract/operations/notifications.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { pageOf } from '../../../engine/page.ts'
import { readableProjectsSql } from '../../projects/access.ts'
import { inboxOwner, toNotification } from '../inbox.ts'
import { listNotifications } from '../store.ts'

export const listUserNotifications = defineHandler(notificationsListOperation, async (call, input) => {
  const user = inboxOwner(call)
  if (user === null) return pageOf('notifications', { rows: [], total: 0 }, input)
  const scope = { organization: call.organization, user, projects: readableProjectsSql(call) }
  const { rows, total } = await listNotifications(call.db, scope, input)
  return pageOf('notifications', { rows: rows.map(toNotification), total }, input)
})
