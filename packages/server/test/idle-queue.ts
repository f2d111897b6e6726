import type { Queue } from '../src/platform/queue/queue.ts'

/** Takes work and lets it lie: for tests of what happens before it. */
export const idleQueue: Queue = { enqueue: async () => {}, announce: async () => {} }
