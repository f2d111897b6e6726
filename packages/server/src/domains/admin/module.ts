import type { Module } from '../../engine/task.ts'
import { reconcileStorageTask } from './reconcile-storage.task.ts'

export const adminModule: Module = {
  tasks: [reconcileStorageTask],
}
