import { notificationsListOperation } from '@swath/contract/operations/notifications.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toListPage } from '../../../engine/page.ts'
import { findCallerInbox, toNotification } from '../inbox.ts'
import { listNotifications } from '../store.ts'

export const handler = defineHandler(notificationsListOperation, async (call, input) => {
  const inbox = findCallerInbox(call)
  if (inbox === null) return toListPage('notifications', { rows: [], total: 0 }, input)
  const { rows, total } = await listNotifications(call.db, inbox, input)
  return toListPage('notifications', { rows: rows.map(toNotification), total }, input)
})
