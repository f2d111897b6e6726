import type { Module } from '../../engine/task.ts'
import { dismissNotification } from './operations/notifications.dismiss.ts'
import { listUserNotifications } from './operations/notifications.list.ts'
import { markAllNotificationsRead } from './operations/notifications.mark_all_read.ts'
import { markNotificationRead } from './operations/notifications.mark_read.ts'
import { getPreferences } from './operations/notifications.preferences.get.ts'
import { setPreference } from './operations/notifications.preferences.set.ts'
import { countUnreadNotifications } from './operations/notifications.unread_count.ts'
import { sendEmailTask } from './send-email.task.ts'
import { dueNotificationRetention, sweepNotifications } from './sweep-retention.task.ts'
import { dueEmails, sweepEmails } from './sweep.task.ts'

export const notifications: Module = {
  name: 'notifications',
  handlers: [
    listUserNotifications,
    countUnreadNotifications,
    markNotificationRead,
    markAllNotificationsRead,
    dismissNotification,
    getPreferences,
    setPreference,
  ],
  tasks: [sweepEmails, sendEmailTask, sweepNotifications],
  dueWork: [dueEmails, dueNotificationRetention],
}
