import { RasterFailure } from '@swath/raster'
import { describeProblem, Problem, toSentence } from '../../engine/problem.ts'
import { ZipFailure } from '../../platform/zip/zip-failure.ts'
import { VectorFailure } from '../vectors/vector-failure.ts'
import { getItemFolder } from '../items/item-folder.ts'
import { lockCurrentIngestAttempt, IngestAttemptSuperseded, type IngestAttempt } from './attempt.ts'
import { removeObjectsInFolder } from './remove-folder.ts'
import { markUploadFileRefused, type UploadFileRow } from './store.files.ts'

/** A file may crash the process, so the number of attempts is limited. */
const max_attempts = 8

const internalErrorMessage = 'The file could not be ingested because of an internal error. Upload it again later.'

const workerLostMessage =
  'Reading the file failed again and again. Save it again from its original, or in smaller parts.'

/**
 * Processes a file. An error of the file refuses it and removes its objects; an internal error is thrown for a retry, as
 * long as there is one.
 */
export async function processUploadedFile(
  attempt: IngestAttempt,
  file: UploadFileRow,
  work: () => Promise<void>,
): Promise<void> {
  attempt.signal.throwIfAborted()
  const canRetry = !attempt.isLastAttempt && attempt.session.attempt <= max_attempts
  try {
    if (attempt.session.attempt > max_attempts) throw new Error(`tried ${max_attempts} times`)
    await work()
  } catch (error) {
    if (error instanceof IngestAttemptSuperseded) throw error
    attempt.signal.throwIfAborted()
    const reason = toRefusalReason(error)
    if (reason === null) attempt.reportError(error, file.id)
    if (reason === null && canRetry) throw error
    await refuseFile(attempt, file, reason ?? internalErrorMessage)
  }
}

/** The message of an error for the sender; null for an internal error. */
function toRefusalReason(error: unknown): string | null {
  if (error instanceof RasterFailure && error.kind === 'worker_lost') return workerLostMessage
  if (error instanceof Problem) return error.status < 500 ? describeProblem(error) : null
  return error instanceof ZipFailure || error instanceof VectorFailure ? toSentence(error.message) : null
}

async function refuseFile(attempt: IngestAttempt, file: UploadFileRow, reason: string): Promise<void> {
  const { db, actor, blobs } = attempt
  await db.transaction(async (tx) => {
    await lockCurrentIngestAttempt(tx, attempt)
    await markUploadFileRefused(tx, actor.organization, file.id, reason)
  })
  await removeObjectsInFolder(blobs, getItemFolder(actor.organization, file.id))
}
