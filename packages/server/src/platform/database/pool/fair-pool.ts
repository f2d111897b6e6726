import type { Pool, PoolClient } from 'pg'
import type { WorkKind } from '../database.ts'

/** A connection of the pool that the caller has until `release`. */
export interface LentConnection {
  readonly client: PoolClient
  /** `isUsable` false closes the connection. */
  release(isUsable: boolean): void
}

/** Lends the connections of a pool: first in, first out within a kind of work, in turn between the kinds that wait. */
export interface FairPool {
  /** Rejects if no connection is free, or none can be opened, within the timeout. */
  connect(work: WorkKind): Promise<LentConnection>
  /** Callers that wait for a connection. */
  readonly waiting: number
}

interface Waiter {
  readonly start: () => void
  readonly timer: NodeJS.Timeout
}

/**
 * Makes callers wait here instead of in the queue of the pool, which has no kinds: there, the one transaction that sends webhooks
 * would wait behind every call of a busy moment.
 */
export function createFairPool(
  pool: Pool,
  { size, timeout_ms }: { readonly size: number; readonly timeout_ms: number },
): FairPool {
  const queues: Readonly<Record<WorkKind, Set<Waiter>>> = { calls: new Set(), background: new Set() }
  let free = size
  let lastServed: WorkKind = 'calls'

  const takeTurn = (work: WorkKind): Promise<void> | undefined => {
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
  }
  const nextQueue = (): WorkKind => {
    const other: WorkKind = lastServed === 'calls' ? 'background' : 'calls'
    return queues[other].size > 0 ? other : lastServed
  }
  const endTurn = (): void => {
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
  }

  return {
    get waiting() {
      return queues.calls.size + queues.background.size
    },
    connect: async (work) => {
      const turn = takeTurn(work)
      if (turn) await turn
      try {
        const client = await pool.connect()
        const release = (isUsable: boolean): void => {
          client.release(!isUsable)
          endTurn()
        }
        return { client, release }
      } catch (error) {
        endTurn()
        throw error
      }
    },
  }
}
