import { Problem } from '../../engine/problem.ts'
import type { Call } from '../../engine/call.ts'
import type { Queryable, Tx } from '../../platform/database/database.ts'
import {
  addEgress,
  countDownloads,
  listEgressDays,
  sumEgress,
  sumEgressOfLinks,
  type EgressDay,
} from './store.egress.ts'

export type { EgressDay } from './store.egress.ts'

/** What was downloaded: one asset, or a ZIP archive of an item or order. */
export interface EgressSubject {
  readonly type: 'asset' | 'item' | 'order'
  readonly id: string
  /** The share link that was used; null for a member of the organization. */
  readonly link: string | null
}

type Counting = Pick<Call, 'organization' | 'quotas' | 'clock'>

const day_ms = 86_400_000

/** The UTC day of a time, `YYYY-MM-DD`. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10)

const secondsToNextDay = (at: Date): number => Math.ceil((day_ms - (at.getTime() % day_ms)) / 1000)

/** Throws `bandwidth-breaker` if the organization has reached its daily egress quota. */
export async function requireBandwidth(db: Queryable, { organization, quotas, clock }: Counting): Promise<void> {
  const most = quotas.egress_bytes_per_day
  if (most === 0) return
  const now = clock.now()
  const sent = await sumEgress(db, organization, dayOf(now))
  if (sent < most) return
  throw new Problem('bandwidth-breaker', `The organization has sent ${sent} bytes today and may send ${most}.`, {
    retry_after_s: secondsToNextDay(now),
    limit_bytes: most,
    sent_bytes: sent,
  })
}

/** Counts a download of each asset, all or none. Throws `download-cap` if one has reached its daily limit. */
export async function takeDownloads(tx: Tx, call: Counting, assets: readonly string[]): Promise<void> {
  const most = call.quotas.downloads_per_day
  const now = call.clock.now()
  const wanted = [...new Set(assets)]
  const taken = new Set(await countDownloads(tx, call.organization, wanted, dayOf(now), most))
  const capped = wanted.find((asset) => !taken.has(asset))
  if (capped === undefined) return
  throw new Problem('download-cap', `The asset "${capped}" has reached its limit of ${most} downloads per day.`, {
    retry_after_s: secondsToNextDay(now),
    limit: most,
    asset_id: capped,
  })
}

/** Records bytes when a presigned URL is issued, because the bucket sends them and the server does not see them. */
export async function journalAhead(
  tx: Tx,
  { organization, clock }: Counting,
  subject: EgressSubject,
  bytes: number,
): Promise<void> {
  const now = clock.now()
  await addEgress(tx, organization, [rowOf(subject, dayOf(now), bytes, 1)], now)
}

export const rowOf = (subject: EgressSubject, day: string, bytes: number, transfers: number) => ({
  day,
  subject_type: subject.type,
  subject_id: subject.id,
  share_link: subject.link ?? '',
  bytes,
  transfers,
})

/** Egress by day from one day to another (`YYYY-MM-DD`, both inclusive), for usage and reports. */
export const egressByDay = (db: Queryable, organization: string, from: string, to: string): Promise<EgressDay[]> =>
  listEgressDays(db, organization, from, to)

/** Total egress of these share links; links without egress are left out. */
export const egressOfLinks = (
  db: Queryable,
  organization: string,
  links: readonly string[],
): Promise<Map<string, number>> => sumEgressOfLinks(db, organization, links)
