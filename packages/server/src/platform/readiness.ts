import { answerWithin } from './answer-within.ts'
import type { Blobs } from './blobs/blobs.ts'
import type { Database } from './database/database.ts'
import { isDiskFull } from './disk-room.ts'

/** Whoever asks whether a server is ready is answered within two seconds, whatever hangs. */
const ready_ms = 1500

export interface Dependencies {
  readonly database: Pick<Database, 'ping'>
  readonly blobs: Pick<Blobs, 'ping'>
  readonly data_dir: string
}

/** Resolves where calls can be answered: the database, the blob store and the disk are there. Throws what is missing, in a sentence. */
export async function checkReadiness({ database, blobs, data_dir }: Dependencies): Promise<void> {
  await Promise.all([
    answerWithin(ready_ms, database.ping(), `the database did not answer within ${ready_ms} ms`),
    answerWithin(ready_ms, blobs.ping(), `the store of files did not answer within ${ready_ms} ms`),
    answerWithin(ready_ms, checkDisk(data_dir), `the disk did not answer within ${ready_ms} ms`),
  ])
}

/** A full disk lets everything be read and nothing be written. */
async function checkDisk(folder: string): Promise<void> {
  if (await isDiskFull(folder)) throw new Error('the disk of the data folder is full')
}
