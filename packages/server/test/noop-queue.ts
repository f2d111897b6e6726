import type { SandboxRunner } from '../src/engine/sandbox-run.ts'
import type { DeadTaskQueue, QueueProducer } from '../src/platform/queue/queue.ts'

/** Accepts tasks and events and does nothing, for tests that run no background work. */
export const noopQueue: QueueProducer = { enqueue: async () => {}, publish: async () => {} }

/** No task was given up, for tests that run no background work. */
export const noDeadTasks: DeadTaskQueue = { dead: async () => [], retry: async () => false }

/** Nothing is due in any sandbox, for tests without sandbox organizations. */
export const noSandboxes: SandboxRunner = { runDue: async () => ({ next_due_at: null }), findNextDue: async () => null }
