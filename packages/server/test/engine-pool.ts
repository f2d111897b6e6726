import type { EngineOptions, Reply } from '../src/platform/database/embedded/messages.ts'
import { openThread } from '../src/platform/database/embedded/thread.ts'
import type { OpenThread, Thread, ThreadEvents } from '../src/platform/database/embedded/thread.ts'

/** A thread whose engine outlives the databases on it. */
interface Kept {
  readonly thread: Thread
  /** Of the database that has it now; null between two. */
  events: ThreadEvents | null
  /** Whether the engine is as it was opened. */
  restored: boolean
}

export interface EnginePool {
  readonly open: OpenThread
  /** Starts a thread that the next database from the same template will find, perhaps not ready yet. */
  startAhead(engine: EngineOptions): void
}

/**
 * Threads with engines in memory that are kept for the next database from the same template: to open an engine costs two seconds of a
 * processor, to restore one a twentieth of that. A thread that ends without being restored is not used again.
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
    // Whoever takes it keeps the process alive; one that nobody takes does not.
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
