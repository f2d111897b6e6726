import type { Pool, PoolClient } from 'pg'
import type { DatabaseWorkKind } from '../database.ts'
import type { IdleConnections } from './idle-connections.ts'

/** A connection of the pool that the caller has until `release`. */
export interface PoolConnectionLease {
  readonly client: PoolClient
  /** `isUsable` false closes the connection. */
  release(isUsable: boolean): void
}

/** Lends the connections of a pool: first in, first out within a kind of work, in turn between the kinds that wait. */
export interface FairPool {
  /**
   * Rejects if no connection is free, or none can be opened, within the timeout.
   *
   * @param suits true for connections to prefer.
   */
  connect(work: DatabaseWorkKind, suits: (client: PoolClient) => boolean): Promise<PoolConnectionLease>
  /** Closes the connections; those that are lent, when they are returned. */
  close(): Promise<void>
  /** Connections that are lent. */
  readonly in_use: number
  /** Callers that wait for a connection. */
  readonly waiting: number
}

interface Waiter {
  readonly start: () => void
  readonly timer: NodeJS.Timeout
}

/** The turns of callers: as many at a time as there are connections. */
interface Turns {
  /** No promise if a turn is free. */
  take(work: DatabaseWorkKind): Promise<void> | undefined
  end(): void
  readonly taken: number
  readonly waiting: number
}

/**
 * Makes callers wait here instead of in the queue of the pool, which has no kinds: there, the one transaction that sends webhooks
 * would wait behind every call of a busy moment.
 */
function createTurns({ size, timeout_ms }: { readonly size: number; readonly timeout_ms: number }): Turns {
  const queues: Readonly<Record<DatabaseWorkKind, Set<Waiter>>> = { calls: new Set(), background: new Set() }
  let free = size
  let lastServed: DatabaseWorkKind = 'calls'
  const nextQueue = (): DatabaseWorkKind => {
    const other: DatabaseWorkKind = lastServed === 'calls' ? 'background' : 'calls'
    return queues[other].size > 0 ? other : lastServed
  }
  return {
    get taken() {
      return size - free
    },
    get waiting() {
      return queues.calls.size + queues.background.size
    },
    take: (work) => {
      if (free > 0) {
        free -= 1
        return undefined
      }
      return new Promise((resolve, reject) => {
        const giveUp = (): void => {
          queues[work].delete(waiter)
          reject(new Error('timeout exceeded when waiting for a connection'))
        }
        const waiter: Waiter = { start: resolve, timer: setTimeout(giveUp, timeout_ms) }
        queues[work].add(waiter)
      })
    },
    end: () => {
      const work = nextQueue()
      const [waiter] = queues[work]
      if (!waiter) {
        free += 1
        return
      }
      lastServed = work
      queues[work].delete(waiter)
      clearTimeout(waiter.timer)
      waiter.start()
    },
  }
}

/** Lends the connections of a pool in turn; returned ones are retained for the next callers. */
export function createFairPool(
  pool: Pool,
  kept: IdleConnections,
  limits: { readonly size: number; readonly timeout_ms: number },
): FairPool {
  const turns = createTurns(limits)
  return {
    get in_use() {
      return turns.taken
    },
    get waiting() {
      return turns.waiting
    },
    close: () => {
      kept.close()
      return pool.end()
    },
    connect: async (work, suits) => {
      const turn = turns.take(work)
      if (turn) await turn
      try {
        const client = kept.take(suits) ?? (await pool.connect())
        const release = (isUsable: boolean): void => {
          if (isUsable) kept.keep(client)
          else client.release(true)
          turns.end()
        }
        return { client, release }
      } catch (error) {
        turns.end()
        throw error
      }
    },
  }
}
