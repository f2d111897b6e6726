import type { Module } from '../../engine/task.ts'
import { deleteOrphanedBlobsTask } from './assets/delete-orphaned-blobs.task.ts'
import { purgeOrganizationTask } from './retention/purge-organization.task.ts'
import { dueRetentionWork, sweepRetentionTask } from './retention/sweep-retention.task.ts'

export const itemsModule: Module = {
  tasks: [deleteOrphanedBlobsTask, purgeOrganizationTask, sweepRetentionTask],
  dueWork: [dueRetentionWork],
}
