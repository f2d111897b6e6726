import { hashChainLink } from '../../platform/crypto/hash-chain.ts'

/** `succeeded` also stands in the row of a call whose process ended after the change was committed. */
export type AuditOutcome = 'succeeded' | 'replayed' | 'dry_run' | 'refused' | 'failed'

/** A call of a write operation. */
export interface AuditEntryRow {
  readonly organization_id: string
  readonly id: string
  /** The start of the call. */
  readonly at: Date
  readonly principal_kind: string
  readonly principal_id: string
  readonly operation: string
  readonly target_type: string | null
  readonly target_id: string | null
  readonly reason: string | null
  readonly request_id: string
  readonly address: string | null
  readonly outcome: AuditOutcome
  /** The name of the problem of a call that was refused or has failed. */
  readonly problem: string | null
  /** The place in the chain, counted from 1; null until the row is sealed. */
  readonly position: number | null
  readonly hash: string | null
}

/** A row with its place in the chain. */
export interface SealedAuditEntry extends AuditEntryRow {
  readonly position: number
  readonly hash: string
}

/** The organization of calls that belong to none, such as those of operators for all organizations. */
export const platformOrganizationId = '00000000-0000-0000-0000-000000000000'

/** The hashed fields in a fixed order; times are RFC 3339 in UTC with milliseconds. */
const serializeEntry = (entry: Omit<AuditEntryRow, 'hash'>): string =>
  JSON.stringify([
    entry.organization_id,
    entry.position,
    entry.id,
    entry.at.toJSON(),
    entry.principal_kind,
    entry.principal_id,
    entry.operation,
    entry.target_type,
    entry.target_id,
    entry.reason,
    entry.request_id,
    entry.address,
    entry.outcome,
    entry.problem,
  ])

/** SHA-256 (hex) over the previous hash and the serialized row, as the journal of the ledger is hashed. */
export const hashAuditEntry = (previous: string, entry: Omit<AuditEntryRow, 'hash'>): string =>
  hashChainLink(previous, serializeEntry(entry))
