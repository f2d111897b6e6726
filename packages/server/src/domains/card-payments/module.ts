import type { Module } from '../../engine/task.ts'
import { captureOrVoid } from './capture-or-void.task.ts'
import { duePayments, redeliverWebhooks } from './processor/redeliver-webhooks.task.ts'
import { reauthoriseCard } from './reauthorise-card.task.ts'
import { voidIntent } from './void-intent.task.ts'

export const cardPayments: Module = {
  tasks: [captureOrVoid, reauthoriseCard, voidIntent, redeliverWebhooks],
  dueWork: [duePayments],
}
