import type { Module } from '../../engine/task.ts'
import { sendEmailTask } from './send-email.task.ts'
import { dueNotificationRetention, sweepNotifications } from './sweep-retention.task.ts'
import { dueEmails, sweepEmails } from './sweep.task.ts'

export const notifications: Module = {
  tasks: [sweepEmails, sendEmailTask, sweepNotifications],
  dueWork: [dueEmails, dueNotificationRetention],
}
