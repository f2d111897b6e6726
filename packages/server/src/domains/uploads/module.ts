import type { Module } from '../../engine/task.ts'
import { cleanUploadsTask } from './clean.task.ts'
import { ingestUploadsTask } from './ingest.task.ts'
import { dueUploadsWork, sweepUploadsTask } from './sweep.task.ts'

export const uploadsModule: Module = {
  tasks: [ingestUploadsTask, cleanUploadsTask, sweepUploadsTask],
  dueWork: [dueUploadsWork],
}
