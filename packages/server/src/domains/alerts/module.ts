import type { Module } from '../../engine/task.ts'
import { evaluateAlertsTask } from './evaluate.task.ts'

export const alertsModule: Module = {
  tasks: [evaluateAlertsTask],
}
