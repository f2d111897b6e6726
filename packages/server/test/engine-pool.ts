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

/**
 * Threads with engines in memory that are kept for the next database from the same template: to open an engine costs two seconds of a
 * processor, to restore one a twentieth of that. A thread that ends without being restored is not used again.
 */
export function createEnginePool(startThread: OpenThread = openThread): OpenThread {
  const idle = new Map<string, Kept[]>()

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
    return Object.assign(early, { thread })
  }

  return async (engine, events) => {
    const free = idle.get(engine.dir) ?? []
    idle.set(engine.dir, free)
    const kept = free.pop() ?? (await start(engine))
    const { thread } = kept
    kept.events = events
    thread.keepAlive(true)
    const end = async (): Promise<void> => {
      kept.events = null
      if (!kept.restored) return thread.end()
      thread.keepAlive(false)
      free.push(kept)
    }
    return { ...thread, end }
  }
}
