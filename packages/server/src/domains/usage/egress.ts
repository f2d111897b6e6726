import { day_ms } from '@swath/geo/time-units.ts'
import { Problem } from '../../engine/problem.ts'
import type { Call } from '../../engine/call.ts'
import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { upsertEgress, upsertDownloadCounts, sumEgressOfDay } from './store.egress.ts'

/** The subject of a download: one asset, or a ZIP archive of an item or order. */
export interface EgressSubject {
  readonly type: 'asset' | 'item' | 'order'
  readonly id: string
  /** The share link that was used; null for a member of the organization. */
  readonly link: string | null
}

type EgressContext = Pick<Call, 'organization' | 'quotas' | 'clock'>

/** The UTC day of a time, `YYYY-MM-DD`. */
export const toUtcDay = (at: Date): string => at.toISOString().slice(0, 10)

const secondsToNextDay = (at: Date): number => Math.ceil((day_ms - (at.getTime() % day_ms)) / 1000)

/** Throws `bandwidth-breaker` if the organization has reached its daily egress quota. */
export async function requireEgressWithinQuota(
  db: SqlStatementRunner,
  { organization, quotas, clock }: EgressContext,
): Promise<void> {
  const max_allowed = quotas.egress_bytes_per_day
  if (max_allowed === 0) return
  const now = clock.now()
  const sent = await sumEgressOfDay(db, organization, toUtcDay(now))
  if (sent < max_allowed) return
  throw new Problem('bandwidth-breaker', `The organization has sent ${sent} bytes today and may send ${max_allowed}.`, {
    retry_after_s: secondsToNextDay(now),
    limit_bytes: max_allowed,
    sent_bytes: sent,
  })
}

/** Counts a download of each asset, all or none. Throws `download-cap` if one has reached its daily limit. */
export async function recordDownloads(tx: Tx, call: EgressContext, assets: readonly string[]): Promise<void> {
  const max_allowed = call.quotas.downloads_per_day
  const now = call.clock.now()
  const requested = [...new Set(assets)]
  const counted = new Set(
    await upsertDownloadCounts(tx, {
      organization: call.organization,
      assets: requested,
      day: toUtcDay(now),
      cap: max_allowed,
    }),
  )
  const cappedAsset = requested.find((asset) => !counted.has(asset))
  if (cappedAsset === undefined) return
  throw new Problem(
    'download-cap',
    `The asset "${cappedAsset}" has reached its limit of ${max_allowed} downloads per day.`,
    {
      retry_after_s: secondsToNextDay(now),
      limit: max_allowed,
      asset_id: cappedAsset,
    },
  )
}

/** Records bytes when a presigned URL is issued, because the bucket sends them and the server does not see them. */
export async function recordEgressUpFront(
  tx: Tx,
  { organization, clock }: EgressContext,
  subject: EgressSubject,
  bytes: number,
): Promise<void> {
  const now = clock.now()
  await upsertEgress(tx, organization, [toEgressRow(subject, toUtcDay(now), bytes, 1)], now)
}

export const toEgressRow = (subject: EgressSubject, day: string, bytes: number, transfers: number) => ({
  day,
  subject_type: subject.type,
  subject_id: subject.id,
  share_link: subject.link ?? '',
  bytes,
  transfers,
})
