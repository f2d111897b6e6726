import type { Module } from '../../engine/task.ts'
import { cleanUploads } from './clean.task.ts'
import { ingestUploads } from './ingest.task.ts'
import { sweepUploads } from './sweep.task.ts'
import { cancelUpload } from './uploads.cancel.ts'
import { completeUpload } from './uploads.complete.ts'
import { failUpload } from './uploads.fail.ts'
import { getUpload } from './uploads.get.ts'
import { initiateUpload } from './uploads.initiate.ts'
import { listUploadSessions } from './uploads.list.ts'
import { signPartUrl } from './uploads.part_url.ts'
import { reportProgress } from './uploads.progress.ts'
import { signUploadUrl } from './uploads.signed_url.ts'

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
}
