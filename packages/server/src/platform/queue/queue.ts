import type { OrganizationTime } from '../clock.ts'
import type { Tx } from '../database/database.ts'
import type { DueRowsQuery } from '../sandbox/due-rows.ts'
import type { Metrics } from '../metrics.ts'

export interface EnqueueOptions {
  /** The minimum delay of the task, on the clock of its organization. */
  readonly delay_ms?: number
  /** A second task with the same key is not added while the first one is waiting or running. */
  readonly singleton_key?: string
}

/** The name under which a kind of task is stored, and at compile time the data that it takes. */
export interface TypedTaskName<in Data extends object> {
  readonly name: string
  /** Exists at compile time only. */
  readonly accepts?: (data: Data) => void
}

/** Adds background tasks in the transaction of their cause. */
export interface QueueProducer {
  enqueue<Data extends object>(tx: Tx, task: TypedTaskName<Data>, data: Data, options?: EnqueueOptions): Promise<void>
  /** Runs every handler of this kind of event (`QueueOptions.reactions`). */
  publish(tx: Tx, eventKind: string, event: PublishedEvent, occurredAt: OrganizationTime): Promise<void>
}

/** An event and the entity that it is about. */
export interface PublishedEvent {
  readonly organization_id: string
  readonly event_id: string
  readonly entity_type: string
  readonly entity_id: string
}

/**
 * A task that is enqueued with the event as its data, or a function that runs immediately in the transaction of the event and may
 * enqueue tasks in it.
 */
export type EventHandler =
  | TypedTaskName<PublishedEvent>
  | ((tx: Tx, event: PublishedEvent, occurredAt: OrganizationTime, enqueue: QueueProducer['enqueue']) => Promise<void>)

/** The handlers of each kind of event. */
export type EventHandlers = Readonly<Record<string, readonly EventHandler[]>>

/** Implements `Queue.publish` for a table of handlers. */
export const createEventPublisher =
  (eventHandlers: EventHandlers, enqueue: QueueProducer['enqueue']): QueueProducer['publish'] =>
  async (tx, eventKind, event, occurredAt) => {
    for (const handler of eventHandlers[eventKind] ?? []) {
      if (typeof handler === 'function') await handler(tx, event, occurredAt, enqueue)
      else await enqueue(tx, handler, event)
    }
  }

/** The retries of a task before it is dead-lettered. */
export interface RetryPolicy {
  readonly limit: number
  readonly delay_s: number
  readonly backoff: boolean
  /** The timeout of one attempt. */
  readonly expire_s: number
}

export interface DeadTask {
  readonly id: string
  readonly task: string
  readonly data: unknown
  readonly error: string
  readonly failed_at: Date
}

/** A task that makes no progress: its worker has ended, it fails again and again, or no worker takes it. */
export interface StuckTask {
  readonly id: string
  readonly task: string
  readonly data: unknown
  readonly reason: 'lease-ended' | 'failed-repeatedly' | 'waiting'
  /** The error of the last attempt; null if none has failed. */
  readonly error: string | null
  readonly since: Date
}

export interface StuckTaskFilter {
  /** Null for tasks of all. */
  readonly organization: string | null
  /** Only this one; null for all. */
  readonly id: string | null
  /** A waiting task that has failed this often is stuck. */
  readonly min_failures: number
  /** Since when a task that never failed is due, or the worker of a running one is silent. */
  readonly min_age_ms: number
  readonly limit: number
}

/** One attempt at a task. */
export interface TaskAttempt {
  readonly id: string
  /** 0 for the first. */
  readonly number: number
  /** True if no further attempt follows a failure of this one. */
  readonly last: boolean
  /** W3C trace context of what enqueued the task, if that was traced. */
  readonly traceparent?: string | null
}

/** A kind of background task: its name, its retry policy and its function. A throw is a failed attempt. */
export interface TaskDefinition {
  readonly name: string
  readonly retry: RetryPolicy
  /** `signal` is aborted when the attempt times out or the process stops; the result is ignored after that. */
  run(data: unknown, signal: AbortSignal, attempt: TaskAttempt): Promise<unknown>
}

/** A task that is due periodically: once in every slot of `every_s` seconds since 1970, in whichever process is first. */
export interface TaskSchedule {
  readonly task: TypedTaskName<Record<never, never>>
  readonly every_s: number
}

export interface QueueLog {
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

export interface QueueOptions {
  /** The poll interval for tasks without a notification. */
  readonly poll_s: number
  /** The slots for tasks that run at once in this process; an attempt that takes long gives its slot back (`slots.ts`). */
  readonly concurrency: number
  readonly schedules?: readonly TaskSchedule[]
  readonly reactions?: EventHandlers
  /** A running task whose process was silent for this long is considered lost and retried; at least 10. */
  readonly heartbeat_s?: number
  readonly log?: QueueLog
  /** W3C trace context of the current span, which a task carries to its attempts; null without one. */
  readonly currentTrace?: () => string | null
  /**
   * Called before the workers start on a database that no other process uses: whatever has a worker has one that was killed. On a
   * shared database leases end by themselves.
   */
  readonly recover?: () => Promise<void>
  /** Called after each attempt that ended in this process. */
  readonly recordAttempt?: Metrics['recordAttempt']
}

/** The tasks of sandbox organizations, which no worker takes: they run while the clock of the sandbox is advanced. */
export interface SandboxTasks {
  /** Runs the first task that is due at `now`; false if there is none. Throws only if `signal` is aborted. */
  runDueSandboxTask(run: SandboxTaskRun): Promise<boolean>
  /** The rows of waiting tasks of a sandbox that fall due. */
  sandboxTaskRows(organization: string): DueRowsQuery
}

export interface SandboxTaskRun {
  readonly organization: string
  /** The time of the sandbox. */
  readonly now: Date
  readonly signal: AbortSignal
}

/** Access of operators to tasks that are stuck, or have used up their attempts. */
export type QueueAdministration = Pick<TaskQueue, 'dead' | 'retry' | 'discard' | 'stuck' | 'requeue' | 'cancel'>

/** The task queue. Tasks can be added once it is open; they are executed between `start` and `stop`. */
export interface TaskQueue extends QueueProducer, SandboxTasks {
  start(): Promise<void>
  /** Stops taking tasks and waits this long for running ones; the rest is aborted and retried later, here or elsewhere. */
  stop(grace_ms?: number): Promise<void>
  /** The newest dead tasks, at most `limit` (200). */
  dead(limit?: number): Promise<DeadTask[]>
  /**
   * Gives a dead task all its attempts again. False if there is no such task, or one with its singleton key is waiting or
   * running.
   */
  retry(id: string): Promise<boolean>
  /** Deletes a dead task; false if there is none. */
  discard(id: string): Promise<boolean>
  /** Tasks that do not move, oldest first. */
  stuck(filter: StuckTaskFilter): Promise<StuckTask[]>
  /** Runs a stuck task at once; false if it has ended or its worker is alive. */
  requeue(id: string): Promise<boolean>
  /** Cancels a task that waits or runs; false if it has ended. */
  cancel(id: string): Promise<boolean>
}
