import { answerWithin } from './answer-within.ts'
import type { Blobs } from './blobs/blobs.ts'
import type { Database } from './database/database.ts'
import { isDiskFull } from './disk-room.ts'

/** A readiness probe is answered within two seconds, whatever hangs. */
const ready_ms = 1500

export interface Dependencies {
  readonly database: Pick<Database, 'ping'>
  readonly blobs: Pick<Blobs, 'ping'>
  readonly data_dir: string
}

/**
 * Resolves if requests can be served: database, blob store and disk are available. Throws what is not available, as a
 * sentence.
 */
export async function checkReadiness({ database, blobs, data_dir }: Dependencies): Promise<void> {
  await Promise.all([
    answerWithin(ready_ms, database.ping(), `the database did not respond within ${ready_ms} ms`),
    answerWithin(ready_ms, blobs.ping(), `the blob store did not respond within ${ready_ms} ms`),
    answerWithin(ready_ms, checkDisk(data_dir), `the disk did not respond within ${ready_ms} ms`),
  ])
}

/** With a full disk everything can be read and nothing written. */
async function checkDisk(folder: string): Promise<void> {
  if (await isDiskFull(folder)) throw new Error('the disk of the data folder is full')
}
