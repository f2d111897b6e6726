import type { Room } from '../../engine/task.ts'
import { cleanUploads } from './clean.task.ts'
import { ingestUploads } from './ingest.task.ts'
import { sweepUploads } from './sweep.task.ts'
import { cancelUpload } from './uploads.cancel.ts'
import { completeUpload } from './uploads.complete.ts'
import { failUpload } from './uploads.fail.ts'
import { getUpload } from './uploads.get.ts'
import { openUpload } from './uploads.initiate.ts'
import { listSessions } from './uploads.list.ts'
import { signPartAddress } from './uploads.part_url.ts'
import { reportProgress } from './uploads.progress.ts'
import { signUploadAddress } from './uploads.signed_url.ts'

export const uploads: Room = {
  name: 'uploads',
  handlers: [
    openUpload,
    signUploadAddress,
    signPartAddress,
    getUpload,
    listSessions,
    reportProgress,
    completeUpload,
    failUpload,
    cancelUpload,
  ],
  tasks: [ingestUploads, cleanUploads, sweepUploads],
}
