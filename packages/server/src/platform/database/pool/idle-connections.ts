import type { PoolClient } from 'pg'
import { monotonic_ms } from '../../clock.ts'

/** Idle connections for the next callers; those that stay unused for too long are released to the pool. */
export interface IdleConnections {
  /** The one returned last of those that `suits` accepts, else the one unused longest; undefined if there is none. */
  take(suits: (client: PoolClient) => boolean): PoolClient | undefined
  keep(client: PoolClient): void
  /** Releases all to the pool, and from now on each that is returned. */
  close(): void
  readonly size: number
}

interface KeptConnection {
  readonly client: PoolClient
  readonly since_ms: number
}

const max_unused_ms = 2_000

/**
 * Keeps connections out of the pool between two uses. To check one out of the pool takes several timers and ticks, a fifth
 * of the time before a small statement is sent; and the pool lends any of them, so that the next caller has to set another
 * role and organization first.
 *
 * @param isUsable false if the connection was lost meanwhile.
 */
export function createIdleConnections(isUsable: (client: PoolClient) => boolean): IdleConnections {
  /** Unused longest first. */
  const kept: KeptConnection[] = []
  let timer: NodeJS.Timeout | null = null
  let isClosed = false

  const returnUnused = (): void => {
    const limit_ms = monotonic_ms() - max_unused_ms
    const firstRecent = kept.findIndex(({ since_ms }) => since_ms > limit_ms)
    const unused = kept.splice(0, firstRecent < 0 ? kept.length : firstRecent)
    timer = kept.length > 0 ? setTimeout(returnUnused, max_unused_ms).unref() : null
    for (const { client } of unused) client.release(!isUsable(client))
  }
  const takeNext = (suits: (client: PoolClient) => boolean): PoolClient | undefined => {
    const index = Math.max(
      0,
      kept.findLastIndex(({ client }) => suits(client)),
    )
    return kept.splice(index, 1)[0]?.client
  }

  return {
    get size() {
      return kept.length
    },
    take: (suits) => {
      let client = takeNext(suits)
      while (client && !isUsable(client)) {
        client.release(true)
        client = takeNext(suits)
      }
      return client
    },
    keep: (client) => {
      if (isClosed) return client.release()
      kept.push({ client, since_ms: monotonic_ms() })
      timer ??= setTimeout(returnUnused, max_unused_ms).unref()
    },
    close: () => {
      isClosed = true
      if (timer) clearTimeout(timer)
      for (const { client } of kept.splice(0)) client.release(!isUsable(client))
    },
  }
}
