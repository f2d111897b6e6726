import type { Module } from '../../engine/task.ts'
import { reconcileStorage } from './reconcile-storage.task.ts'

export const adminModule: Module = {
  tasks: [reconcileStorage],
}
