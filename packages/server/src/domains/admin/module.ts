import type { Module } from '../../engine/task.ts'
import { reconcileStorage } from './reconcile-storage.task.ts'

export const admin: Module = {
  tasks: [reconcileStorage],
}
