import type { Module } from '../../engine/task.ts'
import { sendAccountMailTask } from './account/send-account-mail.task.ts'

export const identityModule: Module = { tasks: [sendAccountMailTask] }
