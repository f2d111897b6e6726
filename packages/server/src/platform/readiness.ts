import { withTimeout } from './with-timeout.ts'
import type { BlobStore } from './blobs/blobs.ts'
import type { Database } from './database/database.ts'
import { isDiskNearlyFull } from './disk-space.ts'

/** A readiness probe is answered within two seconds, whatever hangs. */
const readiness_timeout_ms = 1500

export interface ReadinessDependencies {
  readonly database: Pick<Database, 'ping'>
  readonly blobs: Pick<BlobStore, 'ping'>
  readonly data_dir: string
}

/**
 * Resolves if requests can be served: database, blob store and disk are available. Throws an error that names the
 * unavailable ones in a sentence.
 */
export async function checkReadiness({ database, blobs, data_dir }: ReadinessDependencies): Promise<void> {
  await Promise.all([
    withTimeout(
      readiness_timeout_ms,
      database.ping(),
      `the database did not respond within ${readiness_timeout_ms} ms`,
    ),
    withTimeout(readiness_timeout_ms, blobs.ping(), `the blob store did not respond within ${readiness_timeout_ms} ms`),
    withTimeout(
      readiness_timeout_ms,
      checkDiskSpace(data_dir),
      `the disk did not respond within ${readiness_timeout_ms} ms`,
    ),
  ])
}

/** With a full disk everything can be read and nothing written. */
async function checkDiskSpace(folder: string): Promise<void> {
  if (await isDiskNearlyFull(folder)) throw new Error('the disk of the data folder is full')
}
