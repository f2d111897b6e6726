import type { StuckWorkReason } from '@swath/contract/schemas/stuck-work.ts'
import type { OrganizationTime } from '../platform/clock.ts'

/** Something that has not moved for long, as the module that owns it finds it. */
export interface StuckWorkRow {
  readonly id: string
  /** Null for a task that belongs to none. */
  readonly organization_id: string | null
  /** The name of the stuck entity, such as that of an order; null if it has none. */
  readonly subject: string | null
  readonly reason: StuckWorkReason
  /** Its status, or the last error. */
  readonly detail: string | null
  readonly since: Date
}

/** Selects stuck work of an organization. */
export interface StuckWorkFilter {
  /** The time before which it has last moved. */
  readonly before: OrganizationTime
  /** Only this one; null for all. */
  readonly id: string | null
  readonly limit: number
}
