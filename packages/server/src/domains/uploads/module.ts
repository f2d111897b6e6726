import type { Module } from '../../engine/task.ts'
import { cleanUploads } from './clean.task.ts'
import { ingestUploads } from './ingest.task.ts'
import { dueUploads, sweepUploads } from './sweep.task.ts'
import { cancelUpload } from './operations/uploads.cancel.ts'
import { completeUpload } from './operations/uploads.complete.ts'
import { failUpload } from './operations/uploads.fail.ts'
import { getUpload } from './operations/uploads.get.ts'
import { initiateUpload } from './operations/uploads.initiate.ts'
import { listUploadSessions } from './operations/uploads.list.ts'
import { signPartUrl } from './operations/uploads.part_url.ts'
import { reportProgress } from './operations/uploads.progress.ts'
import { signUploadUrl } from './operations/uploads.signed_url.ts'

export const uploads: Module = {
  name: 'uploads',
  handlers: [
    initiateUpload,
    signUploadUrl,
    signPartUrl,
    getUpload,
    listUploadSessions,
    reportProgress,
    completeUpload,
    failUpload,
    cancelUpload,
  ],
  tasks: [ingestUploads, cleanUploads, sweepUploads],
  dueWork: [dueUploads],
}
