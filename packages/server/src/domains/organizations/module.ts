import type { Module } from '../../engine/task.ts'
import { sealAudit } from './seal-audit.task.ts'

export const organizations: Module = {
  tasks: [sealAudit],
}
