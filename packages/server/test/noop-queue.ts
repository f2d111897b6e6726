import type { QueueProducer } from '../src/platform/queue/queue.ts'

/** Accepts tasks and events and does nothing, for tests that run no background work. */
export const noopQueue: QueueProducer = { enqueue: async () => {}, publish: async () => {} }
