import { monotonic_ms, shiftTimes, type Clock, type OrganizationClocks } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import type { Logger } from '../../platform/log.ts'
import { repeat } from '../../platform/repeat.ts'
import type { KeyUses } from './key-uses.ts'
import { deleteOldChanges, listRecentChanges } from './store.changes.ts'
import { deleteSessionsBefore } from './store.sessions.ts'
import { deleteTileTokensBefore } from './store.tile-tokens.ts'

const hour_ms = 3600 * 1000

/** Polls the changes that other processes committed. */
export interface Listening {
  /** Reads new changes and reports them. */
  poll(): Promise<void>
  /** False if the last successful poll is so long ago that a change may have been missed. */
  isInformed(): boolean
}

const patience_ms = 10_000

/** Changes stay readable for a minute; each is reported once. */
export function listenAcross(across: Db, tell: (subject: string) => void): Listening {
  let told = new Set<string>()
  let read_ms = monotonic_ms()
  return {
    poll: async () => {
      const began_ms = monotonic_ms()
      const changes = await listRecentChanges(across)
      for (const { id, subject } of changes) {
        if (!told.has(id)) tell(subject)
      }
      told = new Set(changes.map(({ id }) => id))
      read_ms = began_ms
    },
    isInformed: () => monotonic_ms() - read_ms < patience_ms,
  }
}

export interface UpkeepParts {
  readonly across: Db
  readonly clock: Clock & OrganizationClocks
  readonly log: Logger
  readonly uses: KeyUses
  /** Null if this process is the only one of its database. */
  readonly listening: Listening | null
}

/** Starts the periodic work of identity; the result stops it. */
export function startUpkeep({ across, clock, log, uses, listening }: UpkeepParts): () => Promise<void> {
  const warn = (doing: string) => (error: unknown) => log.warn({ err: error, doing }, 'identity maintenance failed')
  const sweep = async (): Promise<void> => {
    await deleteSessionsBefore(across, new Date(clock.now().getTime() - hour_ms))
    await deleteTileTokensBefore(across, shiftTimes(clock.times(), -24 * hour_ms))
    await deleteOldChanges(across)
  }
  const stops = [
    repeat(5000, () => uses.flush(), warn('writing the last-used times of keys')),
    repeat(hour_ms / 6, sweep, warn('deleting ended sessions')),
    ...(listening ? [repeat(2000, () => listening.poll(), warn('polling the changes of other processes'))] : []),
  ]
  return async () => {
    await Promise.all(stops.map((stop) => stop()))
  }
}
