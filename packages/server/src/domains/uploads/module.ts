import type { Module } from '../../engine/task.ts'
import { cleanUploads } from './clean.task.ts'
import { ingestUploads } from './ingest.task.ts'
import { dueUploads, sweepUploads } from './sweep.task.ts'

export const uploads: Module = {
  tasks: [ingestUploads, cleanUploads, sweepUploads],
  dueWork: [dueUploads],
}
