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
