import type { InputOf } from '@swath/client/operations.ts'

/** The filters in the URL. */
export interface AuditSearch {
  readonly operation?: string
  readonly outcome?: string
  readonly principal?: string
  /** Days, `2030-01-31`. */
  readonly from?: string
  readonly until?: string
  /** The continuation of older rows. */
  readonly next?: string
}

const limit = 50

/** The input of the list; days begin at midnight UTC. */
export const toAuditInput = (search: AuditSearch): InputOf<'organizations.audit.list'> => ({
  limit,
  ...(search.operation ? { operation: search.operation } : {}),
  ...(search.outcome ? { outcome: search.outcome as 'refused' } : {}),
  ...(search.principal ? { principal_id: search.principal } : {}),
  ...(search.from ? { from: `${search.from}T00:00:00Z` } : {}),
  ...(search.until ? { until: `${search.until}T00:00:00Z` } : {}),
  ...(search.next ? { next: search.next } : {}),
})
