import { hour_ms } from '@swath/geo/time-units.ts'
import { monotonic_ms, shiftTimes, type Clock, type OrganizationClocks } from '../../platform/clock.ts'
import type { DbConnection } from '../../platform/database/database.ts'
import type { Logger } from '../../platform/log.ts'
import { runPeriodically } from '../../platform/run-periodically.ts'
import type { ApiKeyUsage } from './api-key-last-used.ts'
import { deleteOldPrincipalChanges, listRecentPrincipalChanges } from './store.principal-changes.ts'
import { deleteAuthorizationCodesBefore } from './browser/store.authorization-codes.ts'
import { deleteDeviceCodesBefore } from './device/store.device-codes.ts'
import { deleteSessionsBefore } from './store.sessions.ts'
import { deleteEndedTileTokens } from './tile-tokens/tile-tokens.ts'

/** Polls the changes that other processes committed. */
export interface ChangePoller {
  /** Reads new changes and reports them. */
  poll(): Promise<void>
  /** False if the last successful poll is so long ago that a change may have been missed. */
  isUpToDate(): boolean
}

const max_poll_age_ms = 10_000

/** Changes stay readable for a minute; each is reported once. */
export function createChangePoller(unscoped: DbConnection, onChange: (subject: string) => void): ChangePoller {
  let seenIds = new Set<string>()
  let last_poll_ms = monotonic_ms()
  return {
    poll: async () => {
      const started_ms = monotonic_ms()
      const changes = await listRecentPrincipalChanges(unscoped)
      for (const { id, subject } of changes) {
        if (!seenIds.has(id)) onChange(subject)
      }
      seenIds = new Set(changes.map(({ id }) => id))
      last_poll_ms = started_ms
    },
    isUpToDate: () => monotonic_ms() - last_poll_ms < max_poll_age_ms,
  }
}

export interface MaintenanceOptions {
  readonly unscoped: DbConnection
  readonly clock: Clock & OrganizationClocks
  readonly log: Logger
  readonly keyUsage: ApiKeyUsage
  /** Null if this process is the only one of its database. */
  readonly changePoller: ChangePoller | null
}

/** Starts the periodic work of identity; the result stops it. */
export function startMaintenance({
  unscoped,
  clock,
  log,
  keyUsage,
  changePoller,
}: MaintenanceOptions): () => Promise<void> {
  const warn = (doing: string) => (error: unknown) => log.warn({ err: error, doing }, 'identity maintenance failed')
  const sweep = async (): Promise<void> => {
    await deleteAuthorizationCodesBefore(unscoped, new Date(clock.now().getTime() - 24 * hour_ms))
    await deleteDeviceCodesBefore(unscoped, new Date(clock.now().getTime() - 24 * hour_ms))
    await deleteSessionsBefore(unscoped, new Date(clock.now().getTime() - hour_ms))
    await deleteEndedTileTokens(unscoped, shiftTimes(clock.times(), -24 * hour_ms))
    await deleteOldPrincipalChanges(unscoped)
  }
  const stops = [
    runPeriodically(5000, () => keyUsage.flush(), warn('writing the last-used times of keys')),
    runPeriodically(hour_ms / 6, sweep, warn('deleting ended sessions and codes')),
    ...(changePoller
      ? [runPeriodically(2000, () => changePoller.poll(), warn('polling the changes of other processes'))]
      : []),
  ]
  return async () => {
    await Promise.all(stops.map((stop) => stop()))
  }
}
