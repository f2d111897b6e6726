import type { Module } from '../../engine/task.ts'
import { cleanUploadsTask } from './clean.task.ts'
import { ingestUploadsTask } from './ingest.task.ts'
import { dueUploadsWork, sweepUploads } from './sweep.task.ts'

export const uploadsModule: Module = {
  tasks: [ingestUploadsTask, cleanUploadsTask, sweepUploads],
  dueWork: [dueUploadsWork],
}
