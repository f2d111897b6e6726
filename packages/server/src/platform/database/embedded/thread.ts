import { Worker } from 'node:worker_threads'
import { isDiskFull } from '../../disk-room.ts'
import { DatabaseFailure } from '../failures.ts'
import { counter } from './messages.ts'
import type { EngineOptions, Reply, Request, WorkerData } from './messages.ts'

/** One worker thread with a database engine. */
export interface Thread {
  send(request: Request): void
  /** The id of the request that it started last. */
  begun(): number
  /** Syncs to disk so far. */
  syncs(): number
  /** Whether the thread keeps the process alive, as it does initially. */
  keepAlive(keep: boolean): void
  end(): Promise<void>
}

/** Starts a thread and waits until it is ready; throws `database-unavailable` if it is not. */
export type OpenThread = (engine: EngineOptions, events: ThreadEvents) => Promise<Thread>

/**
 * Large enough that the server reaches its own nesting limit first, which is an ordinary error; the default of 4 breaks
 * the engine.
 */
const stackSizeMb = 32

export interface ThreadEvents {
  readonly onReply: (reply: Reply) => void
  /** The thread ended without a request to end. */
  readonly onGone: (why: string) => void
}

/** The engine only reports that it failed; the disk shows why. */
async function whyUnopened({ storage, dir }: EngineOptions, why: string): Promise<DatabaseFailure> {
  if (storage === 'folder' && (await isDiskFull(dir)))
    return new DatabaseFailure('disk-full', 'the embedded database cannot be opened: its disk is full')
  return new DatabaseFailure('database-unavailable', `the embedded database cannot be opened: ${why}`)
}

/** Starts a worker thread with its own engine. */
export const openThread: OpenThread = (engine, events) => {
  const shared = new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT * counter.length)
  const counters = new BigInt64Array(shared)
  const data: WorkerData = { engine, counters: shared }
  // What the engine prints is not shown; its errors arrive as replies.
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: data,
    resourceLimits: { stackSizeMb },
    // The Node flags of the process (--eval, --watch, --import …) must not apply to this thread.
    execArgv: [],
    stdout: true,
    stderr: true,
  })
  const thread: Thread = {
    send: (request) => worker.postMessage(request),
    begun: () => Number(Atomics.load(counters, counter.begun)),
    syncs: () => Number(Atomics.load(counters, counter.syncs)),
    keepAlive: (keep) => (keep ? worker.ref() : worker.unref()),
    end: async () => {
      worker.removeAllListeners()
      worker.on('error', () => undefined)
      await worker.terminate()
    },
  }
  return new Promise((resolve, reject) => {
    let open = false
    const gone = (why: string): void => {
      if (open) return events.onGone(why)
      void thread.end()
      void whyUnopened(engine, why).then(reject)
    }
    worker.on('error', (error) => gone(error instanceof Error ? error.message : String(error)))
    worker.on('exit', () => gone('its thread ended'))
    worker.on('message', (reply: Reply) => {
      if (reply.kind === 'unopened') return gone(reply.message)
      if (reply.kind !== 'ready') return events.onReply(reply)
      open = true
      resolve(thread)
    })
  })
}
