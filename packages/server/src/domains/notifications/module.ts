import type { Module } from '../../engine/task.ts'
import { sendEmailTask } from './send-email.task.ts'
import { dueNotificationRetentionWork, sweepNotificationsTask } from './sweep-retention.task.ts'
import { dueEmailsWork, sweepEmailsTask } from './sweep.task.ts'

export const notificationsModule: Module = {
  tasks: [sweepEmailsTask, sendEmailTask, sweepNotificationsTask],
  dueWork: [dueEmailsWork, dueNotificationRetentionWork],
}
