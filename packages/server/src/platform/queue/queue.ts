import type { OrganizationTime } from '../clock.ts'
import type { Tx } from '../database/database.ts'

export interface EnqueueOptions {
  /** Not before this time. */
  readonly start_after?: Date
  /** A second task with the same key is not added while the first one waits or runs. */
  readonly singleton_key?: string
}

/** Where rooms put background work. It is added inside the transaction of its cause, or not at all. */
export interface Queue {
  enqueue(tx: Tx, task: string, data: object, options?: EnqueueOptions): Promise<void>
  /** Lets everybody react to this kind of event (`QueueOptions.reactions`). */
  announce(tx: Tx, kind: string, event: AnnouncedEvent, at: OrganizationTime): Promise<void>
}

/** What an event is about. */
export interface AnnouncedEvent {
  readonly organization_id: string
  readonly entity_type: string
  readonly entity_id: string
}

/** The name of a task that is added with the event as its data, or what is done at once, in the transaction of the event. */
export type Reaction = string | ((tx: Tx, event: AnnouncedEvent, at: OrganizationTime) => Promise<void>)

/** Who reacts to which kind of event. */
export type Reactions = Readonly<Record<string, readonly Reaction[]>>

/** `Queue.announce` for a table of reactions. */
export const announceTo =
  (reactions: Reactions, enqueue: (tx: Tx, task: string, data: object) => Promise<void>): Queue['announce'] =>
  async (tx, kind, event, at) => {
    for (const reaction of reactions[kind] ?? []) {
      if (typeof reaction === 'string') await enqueue(tx, reaction, event)
      else await reaction(tx, event, at)
    }
  }

/** How a kind of work is retried before it lands in the dead letters. */
export interface RetryPolicy {
  readonly limit: number
  readonly delay_s: number
  readonly backoff: boolean
  /** One attempt may take this long. */
  readonly expire_s: number
}

export interface DeadTask {
  readonly id: string
  readonly task: string
  readonly data: unknown
  readonly error: string
  readonly failed_at: Date
}

/** One try at a task. */
export interface TaskAttempt {
  readonly id: string
  /** 0 for the first. */
  readonly number: number
  /** No further attempt follows a failure of this one. */
  readonly last: boolean
}

/** A kind of work: what it is called, how it is retried, and what it does. A throw is a failed attempt. */
export interface TaskKind {
  readonly name: string
  readonly retry: RetryPolicy
  /** `signal` is aborted when the attempt has used up its time or the process stops; what is done after that does not count. */
  run(data: unknown, signal: AbortSignal, attempt: TaskAttempt): Promise<unknown>
}

/** Work that is due again and again: once in every slot of `every_s` seconds since 1970, whoever of the processes is first. */
export interface ScheduleRow {
  readonly task: string
  readonly every_s: number
  readonly data?: object
}

export interface QueueLog {
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

export interface QueueOptions {
  /** How often a kind of work is looked for when nobody said that there is some. */
  readonly poll_s: number
  /** How many tasks run at once in this process, of all kinds together. */
  readonly concurrency: number
  readonly schedules?: readonly ScheduleRow[]
  readonly reactions?: Reactions
  /** After this silence of its process a running task is taken for lost and tried again; at least 10. */
  readonly heartbeat_s?: number
  readonly log?: QueueLog
}

/** The queue of a house. Work can be added from the opening on; it is done between `start` and `stop`. */
export interface HouseQueue extends Queue {
  start(): Promise<void>
  /** Takes no more work and waits this long for what runs; the rest is aborted and tried again later, here or elsewhere. */
  stop(grace_ms?: number): Promise<void>
  /** The newest dead tasks, at most `limit` (200). */
  dead(limit?: number): Promise<DeadTask[]>
  /** Gives a dead task all its attempts again. False where there is no such task, or one with its key waits or runs already. */
  retry(id: string): Promise<boolean>
}
