import { notificationsListOperation } from '@swath/contract/operations/notifications.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { pageOf } from '../../../engine/page.ts'
import { inboxOf, toNotification } from '../inbox.ts'
import { listNotifications } from '../store.ts'

export const handler = defineHandler(notificationsListOperation, async (call, input) => {
  const inbox = inboxOf(call)
  if (inbox === null) return pageOf('notifications', { rows: [], total: 0 }, input)
  const { rows, total } = await listNotifications(call.db, inbox, input)
  return pageOf('notifications', { rows: rows.map(toNotification), total }, input)
})
