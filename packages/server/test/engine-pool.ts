import type { EngineOptions, Reply } from '../src/platform/database/embedded/messages.ts'
import { openThread } from '../src/platform/database/embedded/thread.ts'
import type { OpenThread, Thread, ThreadEvents } from '../src/platform/database/embedded/thread.ts'

/** A thread whose engine is reused by several databases, one after the other. */
interface Kept {
  readonly thread: Thread
  /** Event handlers of the current database; null while idle. */
  events: ThreadEvents | null
  /** Whether the engine is in its initial state. */
  restored: boolean
}

export interface EnginePool {
  readonly open: OpenThread
  /** Starts a thread for the next database from the same template; it may not be ready yet when taken. */
  startAhead(engine: EngineOptions): void
}

/**
 * Threads with in-memory engines, reused by the next database from the same template: opening an engine takes two seconds of
 * CPU time, restoring one a twentieth of that. A thread that closes without being restored is not reused.
 */
export function createEnginePool(startThread: OpenThread = openThread): EnginePool {
  const idle = new Map<string, Promise<Kept>[]>()
  const idleOf = (dir: string): Promise<Kept>[] => {
    const free = idle.get(dir) ?? []
    idle.set(dir, free)
    return free
  }

  const start = async (engine: EngineOptions): Promise<Kept> => {
    const early: Kept = { thread: undefined as never, events: null, restored: true }
    const thread = await startThread(engine, {
      onReply: (reply: Reply) => {
        early.restored = reply.kind === 'closed' && reply.restored
        early.events?.onReply(reply)
      },
      onGone: (why) => {
        early.restored = false
        early.events?.onGone(why)
      },
    })
    // Only a thread in use keeps the process alive.
    thread.keepAlive(false)
    return Object.assign(early, { thread })
  }

  const open: OpenThread = async (engine, events) => {
    const free = idleOf(engine.dir)
    const kept = await (free.pop() ?? start(engine))
    const { thread } = kept
    kept.events = events
    thread.keepAlive(true)
    const end = async (): Promise<void> => {
      kept.events = null
      if (!kept.restored) return thread.end()
      thread.keepAlive(false)
      free.push(Promise.resolve(kept))
    }
    return { ...thread, end }
  }
  return { open, startAhead: (engine) => void idleOf(engine.dir).push(start(engine)) }
}
