import type { Module } from '../../engine/task.ts'
import { deleteOrphanedBlobs } from './assets/delete-orphaned-blobs.task.ts'
import { purgeOrganization } from './retention/purge-organization.task.ts'
import { dueRetention, sweepRetentionTask } from './retention/sweep-retention.task.ts'

export const items: Module = {
  tasks: [deleteOrphanedBlobs, purgeOrganization, sweepRetentionTask],
  dueWork: [dueRetention],
}
