import type { Static } from 'typebox'
import type { StorageCorrection, StorageReconciliationRun } from '@swath/contract/schemas/billing.ts'
import type { StorageCorrectionRow, ReconciliationRunRow } from './store.reconciliation.ts'

/** The API representation of a reconciliation run. */
export const toReconciliationRun = (row: ReconciliationRunRow): Static<typeof StorageReconciliationRun> => ({
  id: row.id,
  organization_id: row.organization_id,
  started_at: row.started_at.toISOString(),
  finished_at: row.finished_at.toISOString(),
  journal_bytes: row.journal_bytes,
  stored_bytes: row.stored_bytes,
  drift_bytes: row.drift_bytes,
  flagged: row.flagged,
})

/** The API representation of a correction. */
export const toStorageCorrection = (row: StorageCorrectionRow): Static<typeof StorageCorrection> => ({
  id: row.id,
  organization_id: row.organization_id,
  asset_id: row.asset_id,
  bytes_delta: row.bytes_delta,
  reason: row.reason,
  actor: row.actor_id,
  created_at: row.created_at.toISOString(),
})

/** The corrections that one call made in an organization. */
export const toCorrectionsResult = (organization_id: string, rows: readonly StorageCorrectionRow[]) => ({
  organization_id,
  corrections: rows.map(toStorageCorrection),
  bytes_delta: rows.reduce((sum, row) => sum + row.bytes_delta, 0),
})
