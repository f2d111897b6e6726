import type { OrganizationClocks } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Logger } from '../../platform/log.ts'
import { toUtcDay, toEgressRow, type EgressSubject } from './egress.ts'
import { upsertEgress, type EgressRow } from './store.egress.ts'

/** Counts bytes as they are sent and writes them to the journal without delaying the response. */
export interface EgressMeter {
  /** Counts more bytes of a transfer; `ended` is true once per transfer, also for an aborted one. */
  record(organization: string, subject: EgressSubject, bytes: number, ended: boolean): void
  /** Resolves when all counted bytes are written, or writing failed. */
  flush(): Promise<void>
}

interface PendingEgress {
  readonly organization: string
  readonly row: EgressRow
}

const aggregationKey = ({ organization, row }: PendingEgress): string =>
  [organization, row.day, row.subject_type, row.subject_id, row.share_link].join(' ')

const addPending = (one: PendingEgress, other: PendingEgress): PendingEgress => ({
  organization: one.organization,
  row: { ...one.row, bytes: one.row.bytes + other.row.bytes, transfers: one.row.transfers + other.row.transfers },
})

interface EgressMeterDependencies {
  readonly database: Database
  readonly clock: OrganizationClocks
  readonly log: Logger
}

/**
 * Sums sent bytes in memory and writes one transaction per organization. Sums that cannot be written stay in memory and
 * are retried with the next write; a killed process loses its unwritten sums.
 */
export function createEgressMeter({ database, clock, log }: EgressMeterDependencies): EgressMeter {
  let pending = new Map<string, PendingEgress>()
  let writing: Promise<void> | null = null

  const add = (one: PendingEgress): void => {
    const key = aggregationKey(one)
    const existing = pending.get(key)
    pending.set(key, existing ? addPending(existing, one) : one)
  }
  const writeRows = async (organization: string, pendingRows: readonly PendingEgress[]): Promise<void> => {
    const rows = pendingRows.map(({ row }) => row)
    try {
      const at = clock.forOrganization(organization).now()
      // All or nothing, because what fails is added again.
      await database.forOrganization(organization).transaction((tx) => upsertEgress(tx, organization, rows, at))
    } catch (error) {
      log.warn(
        { err: error, organization },
        'sent bytes could not be written to the egress journal; they are retried with the next write',
      )
      for (const row of rows) add({ organization, row })
      throw error
    }
  }
  const writeAll = async (): Promise<void> => {
    try {
      while (pending.size > 0) {
        const all = pending
        pending = new Map()
        const byOrganization = Map.groupBy(all.values(), (one) => one.organization)
        const writes = [...byOrganization].map(([organization, ones]) => writeRows(organization, ones))
        if ((await Promise.allSettled(writes)).some(({ status }) => status === 'rejected')) return
      }
    } finally {
      // Reset here and not later: bytes counted from now on must start a new write.
      writing = null
    }
  }
  const flush = async (): Promise<void> => {
    if (pending.size > 0) writing ??= writeAll()
    await writing
  }
  return {
    record: (organization, subject, bytes, ended) => {
      if (bytes === 0 && !ended) return
      const day = toUtcDay(clock.forOrganization(organization).now())
      add({ organization, row: toEgressRow(subject, day, bytes, ended ? 1 : 0) })
      void flush()
    },
    flush,
  }
}
