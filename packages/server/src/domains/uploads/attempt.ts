import type { Blobs } from '../../platform/blobs/blobs.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import type { ItemWriter } from '../items/metadata-limit.ts'
import { heldUpload } from './moves.ts'
import type { UploadRow } from './store.ts'
import type { FileRow } from './store.files.ts'

/** The dependencies of ingestion, in a task or in a request. */
export interface Ingest {
  readonly db: Db
  readonly blobs: Blobs
  readonly actor: ItemWriter
  readonly signal: AbortSignal
  /** There is no retry: also an internal error ends the file. */
  readonly last: boolean
  readonly tell: (error: unknown, file: string) => void
}

/** One attempt to ingest the files of a session: only the latest one may write. */
export interface Attempt extends Ingest {
  readonly session: UploadRow
  /** A local directory; deleted after the attempt, or before the next one if the process died. */
  readonly folder: string
}

/** A local copy of a verified file. */
export interface LocalFile {
  readonly file: FileRow
  readonly path: string
  readonly size_bytes: number
}

/** A later attempt has begun, or the session has ended: this attempt must not write. */
export class Superseded extends Error {}

/** Locks the session for a transaction of this attempt. Throws `AttemptSuperseded`. */
export async function holdAttempt(tx: Tx, { actor, session }: Attempt): Promise<UploadRow> {
  const row = await heldUpload(tx, actor, session.id)
  if (row.status !== 'ingesting' || row.attempt !== session.attempt) throw new Superseded()
  return row
}
