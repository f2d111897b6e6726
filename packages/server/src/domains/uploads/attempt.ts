import type { BlobStore } from '../../platform/blobs/blobs.ts'
import type { DbConnection, Tx } from '../../platform/database/database.ts'
import type { ServiceContainer } from '../../engine/process-services.ts'
import type { ItemMetadataWriter } from '../items/metadata-limit.ts'
import { requireLockedUpload } from './upload-transitions.ts'
import type { UploadRow } from './store.ts'
import type { UploadFileRow } from './store.files.ts'

/** The dependencies of ingestion, in a task or in a request. */
export interface IngestDependencies {
  readonly db: DbConnection
  readonly blobs: BlobStore
  readonly processServices: ServiceContainer
  readonly actor: ItemMetadataWriter
  readonly signal: AbortSignal
  /** There is no retry: also an internal error ends the file. */
  readonly isLastAttempt: boolean
  readonly reportError: (error: unknown, file: string) => void
}

/** One attempt to ingest the files of a session: only the latest one may write. */
export interface IngestAttempt extends IngestDependencies {
  readonly session: UploadRow
  /** A local directory; deleted after the attempt, or before the next one if the process died. */
  readonly folder: string
}

/** A local copy of a verified file. */
export interface LocalUploadFile {
  readonly file: UploadFileRow
  readonly path: string
  readonly size_bytes: number
}

/** A later attempt has begun, or the session has ended: this attempt must not write. */
export class IngestAttemptSuperseded extends Error {}

/** Locks the session for a transaction of this attempt. Throws `IngestAttemptSuperseded`. */
export async function lockCurrentIngestAttempt(tx: Tx, { actor, session }: IngestAttempt): Promise<UploadRow> {
  const row = await requireLockedUpload(tx, actor, session.id)
  if (row.status !== 'ingesting' || row.attempt !== session.attempt) throw new IngestAttemptSuperseded()
  return row
}
