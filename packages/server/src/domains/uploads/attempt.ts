import type { Blobs } from '../../platform/blobs/blobs.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import type { ItemWriter } from '../items/metadata-limit.ts'
import { heldUpload } from './moves.ts'
import type { UploadRow } from './store.ts'
import type { FileRow } from './store.files.ts'

/** What ingesting may use, in a task or in a call. */
export interface Ingest {
  readonly db: Db
  readonly blobs: Blobs
  readonly actor: ItemWriter
  readonly signal: AbortSignal
  /** Nobody tries again: a fault of ours ends the file like one of its own. */
  readonly last: boolean
  readonly tell: (error: unknown, file: string) => void
}

/** One try at the files of a session: only the newest one may write. */
export interface Attempt extends Ingest {
  readonly session: UploadRow
  /** Of this machine; gone after the attempt, and before the next one where the process died. */
  readonly folder: string
}

/** A file on this machine, as verified as it was in storage. */
export interface LocalFile {
  readonly file: FileRow
  readonly path: string
  readonly size_bytes: number
}

/** Another attempt has begun, or the session has ended: what this one makes is nobody's any more. */
export class Superseded extends Error {}

/** The session for a transaction that writes what was made. Throws `Superseded`. */
export async function holdAttempt(tx: Tx, { actor, session }: Attempt): Promise<UploadRow> {
  const row = await heldUpload(tx, actor, session.id)
  if (row.status !== 'ingesting' || row.attempt !== session.attempt) throw new Superseded()
  return row
}
