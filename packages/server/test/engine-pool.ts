import type { DatabaseEngineOptions, DatabaseEngineReply } from '../src/platform/database/embedded/messages.ts'
import { openDatabaseEngineThread } from '../src/platform/database/embedded/thread.ts'
import type {
  DatabaseEngineThreadOpener,
  DatabaseEngineThread,
  DatabaseEngineThreadEvents,
} from '../src/platform/database/embedded/thread.ts'

/** A thread whose engine is reused by several databases, one after the other. */
interface PooledThread {
  readonly thread: DatabaseEngineThread
  /** Event handlers of the current database; null while idle. */
  events: DatabaseEngineThreadEvents | null
  /** True if the engine is in its initial state. */
  isRestored: boolean
}

export interface EnginePool {
  readonly open: DatabaseEngineThreadOpener
  /** Starts a thread for the next database from the same template; it may not be ready yet when taken. */
  prestart(engine: DatabaseEngineOptions): void
}

/**
 * Threads with in-memory engines, reused by the next database from the same template: opening an engine takes two seconds of
 * CPU time, restoring one a twentieth of that. A thread that closes without being restored is not reused.
 */
export function createEnginePool(startThread: DatabaseEngineThreadOpener = openDatabaseEngineThread): EnginePool {
  const idleThreads = new Map<string, Promise<PooledThread>[]>()
  const idleThreadsFor = (dir: string): Promise<PooledThread>[] => {
    const available = idleThreads.get(dir) ?? []
    idleThreads.set(dir, available)
    return available
  }

  const startPooledThread = async (engine: DatabaseEngineOptions): Promise<PooledThread> => {
    const pooled: PooledThread = { thread: undefined as never, events: null, isRestored: true }
    const thread = await startThread(engine, {
      onReply: (reply: DatabaseEngineReply) => {
        pooled.isRestored = reply.kind === 'closed' && reply.restored
        pooled.events?.onReply(reply)
      },
      onEnded: (reason) => {
        pooled.isRestored = false
        pooled.events?.onEnded(reason)
      },
    })
    // Only a thread in use keeps the process alive.
    thread.keepAlive(false)
    return Object.assign(pooled, { thread })
  }

  const open: DatabaseEngineThreadOpener = async (engine, events) => {
    const available = idleThreadsFor(engine.dir)
    const pooled = await (available.pop() ?? startPooledThread(engine))
    const { thread } = pooled
    pooled.events = events
    thread.keepAlive(true)
    const end = async (): Promise<void> => {
      pooled.events = null
      if (!pooled.isRestored) return thread.end()
      thread.keepAlive(false)
      available.push(Promise.resolve(pooled))
    }
    return { ...thread, end }
  }
  return { open, prestart: (engine) => void idleThreadsFor(engine.dir).push(startPooledThread(engine)) }
}
