import { Worker } from 'node:worker_threads'
import { isDiskNearlyFull } from '../../disk-space.ts'
import { DatabaseFailure } from '../failures.ts'
import { databaseEngineCounterIndexes } from './messages.ts'
import type {
  DatabaseEngineOptions,
  DatabaseEngineReply,
  DatabaseEngineRequest,
  DatabaseEngineWorkerData,
} from './messages.ts'

/** One worker thread with a database engine. */
export interface DatabaseEngineThread {
  send(request: DatabaseEngineRequest): void
  /** The id of the request that it started last. */
  begun(): number
  /** Syncs to disk so far. */
  syncs(): number
  /** Sets whether the thread keeps the process alive, as it does initially. */
  keepAlive(keep: boolean): void
  end(): Promise<void>
}

/** Starts a thread and waits until it is ready; throws `database-unavailable` if it is not. */
export type DatabaseEngineThreadOpener = (
  engine: DatabaseEngineOptions,
  events: DatabaseEngineThreadEvents,
) => Promise<DatabaseEngineThread>

/**
 * Large enough that the server reaches its own nesting limit first, which is an ordinary error; the default of 4 breaks
 * the engine.
 */
const stack_size_mb = 32

export interface DatabaseEngineThreadEvents {
  readonly onReply: (reply: DatabaseEngineReply) => void
  /** The thread ended without a request to end. */
  readonly onEnded: (reason: string) => void
}

/** The engine only reports that it failed; the disk shows why. */
async function toOpenFailure({ storage, dir }: DatabaseEngineOptions, reason: string): Promise<DatabaseFailure> {
  if (storage === 'folder' && (await isDiskNearlyFull(dir)))
    return new DatabaseFailure('disk-full', 'the embedded database cannot be opened: its disk is full')
  return new DatabaseFailure('database-unavailable', `the embedded database cannot be opened: ${reason}`)
}

/** Starts a worker thread with its own engine. */
export const openDatabaseEngineThread: DatabaseEngineThreadOpener = (engine, events) => {
  const sharedCounters = new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT * databaseEngineCounterIndexes.length)
  const counters = new BigInt64Array(sharedCounters)
  const data: DatabaseEngineWorkerData = { engine, counters: sharedCounters }
  // The output of the engine is not shown; its errors arrive as replies.
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: data,
    resourceLimits: { stackSizeMb: stack_size_mb },
    // The Node flags of the process (--eval, --watch, --import …) must not apply to this thread.
    execArgv: [],
    stdout: true,
    stderr: true,
  })
  const thread: DatabaseEngineThread = {
    send: (request) => worker.postMessage(request),
    begun: () => Number(Atomics.load(counters, databaseEngineCounterIndexes.begun)),
    syncs: () => Number(Atomics.load(counters, databaseEngineCounterIndexes.syncs)),
    keepAlive: (keep) => (keep ? worker.ref() : worker.unref()),
    end: async () => {
      worker.removeAllListeners()
      worker.on('error', () => undefined)
      await worker.terminate()
    },
  }
  return new Promise((resolve, reject) => {
    let isOpen = false
    const onEnded = (reason: string): void => {
      if (isOpen) return events.onEnded(reason)
      void thread.end()
      void toOpenFailure(engine, reason).then(reject)
    }
    worker.on('error', (error) => onEnded(error instanceof Error ? error.message : String(error)))
    worker.on('exit', () => onEnded('its thread ended'))
    worker.on('message', (reply: DatabaseEngineReply) => {
      if (reply.kind === 'unopened') return onEnded(reply.message)
      if (reply.kind !== 'ready') return events.onReply(reply)
      isOpen = true
      resolve(thread)
    })
  })
}
