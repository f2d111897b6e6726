import type { AuditEntry } from '@swath/contract/schemas/event.ts'
import { formatCsvRow } from '../../engine/csv.ts'
import type { AuditEntryRow } from './entry.ts'
import type { ExportedAuditEntry } from './read-trail.ts'

/** A row as responses have it. */
export const toAuditEntryJson = (row: AuditEntryRow): AuditEntry => ({
  id: row.id,
  organization_id: row.organization_id,
  at: row.at.toISOString(),
  principal_kind: row.principal_kind,
  principal_id: row.principal_id,
  operation: row.operation,
  target_type: row.target_type,
  target_id: row.target_id,
  reason: row.reason,
  request_id: row.request_id,
  address: row.address,
  outcome: row.outcome,
  problem: row.problem,
  position: row.position,
  hash: row.hash,
})

/** A row as an export has it: it is sealed. */
export const toAuditExportLine = (row: ExportedAuditEntry) => ({
  ...toAuditEntryJson(row),
  position: row.position,
  hash: row.hash,
  previous_hash: row.previous_hash,
})

const columns = [
  'organization_id',
  'position',
  'id',
  'at',
  'principal_kind',
  'principal_id',
  'operation',
  'target_type',
  'target_id',
  'reason',
  'request_id',
  'address',
  'outcome',
  'problem',
  'previous_hash',
  'hash',
] as const satisfies readonly (keyof ReturnType<typeof toAuditExportLine>)[]

export const auditCsvHeader = formatCsvRow(columns)

/** The line of a row in a CSV export. */
export function toAuditCsvRow(row: ExportedAuditEntry): string {
  const line = toAuditExportLine(row)
  return formatCsvRow(columns.map((column) => line[column]))
}
