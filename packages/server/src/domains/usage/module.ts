import type { Module } from '../../engine/task.ts'
import { listUsageByOperation } from './operations/usage.by_operation.ts'
import { getCurrentUsage } from './operations/usage.current.ts'
import { listUsageHistory } from './operations/usage.history.ts'
import { recalculateStorage } from './operations/usage.recalculate_storage.ts'

export const usage: Module = {
  name: 'usage',
  handlers: [getCurrentUsage, listUsageHistory, listUsageByOperation, recalculateStorage],
  tasks: [],
}
