import type { Module } from '../../engine/task.ts'
import { evaluateAlerts } from './evaluate.task.ts'

export const alertsModule: Module = {
  tasks: [evaluateAlerts],
}
