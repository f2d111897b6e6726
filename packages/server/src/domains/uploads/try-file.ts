import { Problem } from '../../engine/problem.ts'
import { ArchiveFailure } from '../../platform/archives/archive-failure.ts'
import { VectorFailure } from '../vectors/vector-failure.ts'
import { holdAttempt, Superseded, type Attempt } from './attempt.ts'
import { folderOfFile } from './object-paths.ts'
import { removeFolder } from './remove-folder.ts'
import { setRefused, type FileRow } from './store.files.ts'

/** A file may crash the process, so the number of attempts is limited. */
const most_attempts = 8

const fault = 'The file could not be ingested because of an internal error. Upload it again later.'

/**
 * Processes a file. An error of the file refuses it and removes its objects; an internal error is thrown for a retry, as
 * long as there is one.
 */
export async function tryFile(attempt: Attempt, file: FileRow, work: () => Promise<void>): Promise<void> {
  attempt.signal.throwIfAborted()
  const again = !attempt.last && attempt.session.attempt <= most_attempts
  try {
    if (attempt.session.attempt > most_attempts) throw new Error(`tried ${most_attempts} times`)
    await work()
  } catch (error) {
    if (error instanceof Superseded) throw error
    attempt.signal.throwIfAborted()
    const reason = refusalOf(error)
    if (reason === null) attempt.tell(error, file.id)
    if (reason === null && again) throw error
    await refuse(attempt, file, reason ?? fault)
  }
}

/** The message of an error for the sender; null for an internal error. */
function refusalOf(error: unknown): string | null {
  if (error instanceof Problem) return error.status < 500 ? error.message : null
  return error instanceof ArchiveFailure || error instanceof VectorFailure ? sentence(error.message) : null
}

const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`

async function refuse(attempt: Attempt, file: FileRow, reason: string): Promise<void> {
  const { db, actor, blobs } = attempt
  await db.transaction(async (tx) => {
    await holdAttempt(tx, attempt)
    await setRefused(tx, actor.organization, file.id, reason)
  })
  await removeFolder(blobs, folderOfFile(actor.organization, file.id))
}
