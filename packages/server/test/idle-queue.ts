import type { Queue } from '../src/platform/queue/queue.ts'

/** Accepts tasks and events and does nothing, for tests that run no background work. */
export const idleQueue: Queue = { enqueue: async () => {}, announce: async () => {} }
