import { Worker } from 'node:worker_threads'
import { isDiskFull } from '../../disk-room.ts'
import { DatabaseFailure } from '../failures.ts'
import { counter } from './messages.ts'
import type { EngineOptions, Reply, Request, WorkerData } from './messages.ts'

/** One life of the worker thread that holds the engine. */
export interface Thread {
  send(request: Request): void
  /** The number of the request that it began last. */
  begun(): number
  /** Syncs to disk so far. */
  syncs(): number
  /** Whether the thread keeps the process alive; it does from the start. */
  keepAlive(keep: boolean): void
  end(): Promise<void>
}

/** Opens a thread and waits until it can answer; throws `database-unavailable` where it cannot. */
export type OpenThread = (engine: EngineOptions, events: ThreadEvents) => Promise<Thread>

/** Enough for the server's own limit on nesting to be met first, which is an ordinary error; the usual 4 break the engine instead. */
const stackSizeMb = 32

export interface ThreadEvents {
  readonly onReply: (reply: Reply) => void
  /** The thread ended although nobody asked it to. */
  readonly onGone: (why: string) => void
}

/** The engine only says that it failed; the disk says more. */
async function whyUnopened({ storage, dir }: EngineOptions, why: string): Promise<DatabaseFailure> {
  if (storage === 'folder' && (await isDiskFull(dir)))
    return new DatabaseFailure('disk-full', 'the embedded database does not open: its disk is full')
  return new DatabaseFailure('database-unavailable', `the embedded database does not open: ${why}`)
}

/** A thread of its own, with an engine of its own. */
export const openThread: OpenThread = (engine, events) => {
  const shared = new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT * counter.length)
  const counters = new BigInt64Array(shared)
  const data: WorkerData = { engine, counters: shared }
  // What the engine prints is for its makers; its errors arrive as replies.
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: data,
    resourceLimits: { stackSizeMb },
    // The flags of the program (--eval, --watch, --import …) are not meant for this thread.
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
