import type { Module } from '../../engine/task.ts'
import { captureOrVoidTask } from './capture-or-void.task.ts'
import { duePaymentsWork, redeliverProcessorWebhooksTask } from './processor/redeliver-webhooks.task.ts'
import { reauthoriseCardTask } from './reauthorise-card.task.ts'
import { voidReplacedIntentTask } from './void-intent.task.ts'

export const cardPaymentsModule: Module = {
  tasks: [captureOrVoidTask, reauthoriseCardTask, voidReplacedIntentTask, redeliverProcessorWebhooksTask],
  dueWork: [duePaymentsWork],
}
