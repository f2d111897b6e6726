import type { SandboxWorkRunner } from '../src/engine/sandbox-run.ts'
import type { QueueAdministration, QueueProducer } from '../src/platform/queue/queue.ts'

/** Accepts tasks and events and does nothing, for tests that run no background work. */
export const noopQueue: QueueProducer = { enqueue: async () => {}, publish: async () => {} }

/** A queue without stuck or dead tasks, for tests that run no background work. */
export const emptyQueue: QueueAdministration = {
  dead: async () => [],
  retry: async () => false,
  discard: async () => false,
  stuck: async () => [],
  requeue: async () => false,
  cancel: async () => false,
}

/** Nothing is due in any sandbox, for tests without sandbox organizations. */
export const noSandboxes: SandboxWorkRunner = {
  runDue: async () => ({ next_due_at: null }),
  findNextDue: async () => null,
}
