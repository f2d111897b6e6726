import type { Call } from '../../../engine/call.ts'
import { Problem } from '../../../engine/problem.ts'
import type { BlobStore } from '../../../platform/blobs/blobs.ts'
import type { DbConnection, SqlStatementRunner, Tx } from '../../../platform/database/database.ts'
import { newId } from '../../../platform/ids.ts'
import type { Actor } from '../../../engine/actor.ts'
import {
  getOrganizationBlobPrefix,
  lockStorageJournal,
  recordStoredBytes,
  type StoredBytesCause,
  type StoredBytesChange,
} from '../stored-bytes.ts'
import { listStoredBytesByPath, type StoredBytes } from '../store.ts'
import {
  compareStorageJournalWithObjects,
  type StorageComparison,
  type StoredBytesDriftKind,
  type ObjectSizes,
  type StoredObjectFile,
} from './drift.ts'
import {
  insertStorageCorrections,
  insertReconciliationRun,
  type StorageCorrectionRow,
  type ReconciliationRunRow,
} from './store.reconciliation.ts'
import { readObjectSizes } from './stored-objects.ts'

/** Lists the files of an organization; passed in by the caller, because this tier may not import the modules that store files. */
export type ListStoredFiles = (db: SqlStatementRunner, organization: string) => Promise<readonly StoredObjectFile[]>

/** Lists all organizations; passed in for the same reason. */
export type ListOrganizationIds = (unscoped: SqlStatementRunner) => Promise<readonly string[]>

/** The dependencies of comparisons and corrections. */
export interface ReconciliationDependencies {
  /** The unscoped connection; every statement names an organization. */
  readonly db: DbConnection
  readonly blobs: BlobStore
  readonly signal: AbortSignal
  readonly listFiles: ListStoredFiles
}

export const createReconciliationDependencies = (
  call: Pick<Call, 'unscoped' | 'blobs' | 'signal'>,
  listFiles: ListStoredFiles,
): ReconciliationDependencies => ({
  db: call.unscoped,
  blobs: call.blobs,
  signal: call.signal,
  listFiles,
})

interface StorageRecords {
  readonly assets: readonly StoredObjectFile[]
  readonly journal: readonly StoredBytes[]
}

/** Reads assets and journal consistently; other writers of the journal wait until the transaction ends. */
async function readLockedRecords(
  dependencies: ReconciliationDependencies,
  tx: Tx,
  organization: string,
): Promise<StorageRecords> {
  await lockStorageJournal(tx, organization)
  return {
    assets: await dependencies.listFiles(tx, organization),
    journal: await listStoredBytesByPath(tx, organization),
  }
}

async function measureDrift(
  dependencies: ReconciliationDependencies,
  organization: string,
): Promise<{ comparison: StorageComparison; sizes: ObjectSizes }> {
  const { assets, journal } = await dependencies.db.transaction((tx) =>
    readLockedRecords(dependencies, tx, organization),
  )
  const paths = assets.map((asset) => asset.object_path)
  const sizes = await readObjectSizes(dependencies.blobs, organization, paths, dependencies.signal)
  return { comparison: compareStorageJournalWithObjects(assets, journal, sizes), sizes }
}

/** Compares the storage journal of an organization with the object storage; writes nothing. */
export const compareStorage = async (
  dependencies: ReconciliationDependencies,
  organization: string,
): Promise<StorageComparison> => (await measureDrift(dependencies, organization)).comparison

/** Compares and stores the result as a run, flagged if the totals differ by more than the threshold. */
export async function runStorageReconciliation(
  dependencies: ReconciliationDependencies,
  actor: Actor,
  threshold_bytes: number,
): Promise<ReconciliationRunRow> {
  const started_at = actor.clock.now()
  const { journal_bytes, stored_bytes } = await compareStorage(dependencies, actor.organization)
  const drift_bytes = journal_bytes - stored_bytes
  const run: ReconciliationRunRow = {
    id: newId(),
    organization_id: actor.organization,
    threshold_bytes,
    journal_bytes,
    stored_bytes,
    drift_bytes,
    flagged: Math.abs(drift_bytes) > threshold_bytes,
    started_at,
    finished_at: actor.clock.now(),
  }
  await insertReconciliationRun(dependencies.db, run)
  return run
}

/** Reconciles every organization in turn; each run is stored on its own. */
export async function reconcileStorageOfAllOrganizations(
  dependencies: ReconciliationDependencies,
  listOrganizationIds: ListOrganizationIds,
  actorIn: (organization: string) => Actor,
  threshold_bytes: number,
): Promise<ReconciliationRunRow[]> {
  const runs: ReconciliationRunRow[] = []
  for (const organization of await listOrganizationIds(dependencies.db)) {
    dependencies.signal.throwIfAborted()
    runs.push(await runStorageReconciliation(dependencies, actorIn(organization), threshold_bytes))
  }
  return runs
}

/** Appends rows to the journal, each with a correction. Existing rows and credits do not change. */
async function appendCorrections(
  tx: Tx,
  actor: Actor,
  rows: readonly StoredBytesChange[],
  reason: string,
): Promise<StorageCorrectionRow[]> {
  if (rows.length === 0) return []
  const ids = await recordStoredBytes(tx, actor, rows)
  const corrections = rows.map(({ asset_id, bytes_delta }, index) => ({
    id: ids[index]!,
    organization_id: actor.organization,
    asset_id,
    bytes_delta,
    reason,
    actor_kind: actor.principal.kind,
    actor_id: actor.principal.id,
    created_at: actor.clock.now(),
  }))
  await insertStorageCorrections(tx, actor.organization, corrections)
  return corrections
}

/** The kinds of drift that can be corrected automatically, with cause and reason of the correction. */
const correctionsByKind: Readonly<
  Record<Exclude<StoredBytesDriftKind, 'drift'>, { cause: StoredBytesCause; reason: string }>
> = {
  missing: { cause: 'backfilled', reason: 'the object exists and the journal had no bytes' },
  stale: { cause: 'went_stale', reason: 'the journal had bytes and the object does not exist' },
  negative: { cause: 'zeroed', reason: 'the sum of the journal was negative' },
}

/**
 * Corrects all drift of one kind. The storage is read before the transaction, and the corrections are computed again
 * under the journal lock, so that a concurrent call finds nothing to do.
 */
export async function correctStorageDriftsOfKind(
  dependencies: ReconciliationDependencies,
  actor: Actor,
  kind: keyof typeof correctionsByKind,
): Promise<StorageCorrectionRow[]> {
  const { comparison, sizes } = await measureDrift(dependencies, actor.organization)
  if (!comparison.drifts.some((drift) => drift.kind === kind)) return []
  const { cause, reason } = correctionsByKind[kind]
  return dependencies.db.transaction(async (tx) => {
    const { assets, journal } = await readLockedRecords(dependencies, tx, actor.organization)
    const rows = compareStorageJournalWithObjects(assets, journal, sizes)
      .drifts.filter((drift) => drift.kind === kind)
      .map(({ asset_id, object_path, journal_bytes, stored_bytes }) => ({
        asset_id,
        object_path,
        bytes_delta: kind === 'missing' ? stored_bytes : -journal_bytes,
        cause,
      }))
    return appendCorrections(tx, actor, rows, reason)
  })
}

/** A correction that an operator states. */
export interface ManualStorageCorrection {
  /** Null: of the organization as a whole. */
  readonly asset_id: string | null
  readonly bytes_delta: number
  readonly reason: string
}

/** More than any organization stores, and low enough that sums stay safe integers. */
const max_organization_bytes = 2 ** 52

/**
 * Corrects the journal manually in a transaction, for one asset or (null) the organization as a whole. Throws `not-found` for an asset
 * without stored bytes, `invalid-state` for a correction of zero or one that removes more bytes than are stored.
 */
export async function correctStorageJournal(
  tx: Tx,
  dependencies: ReconciliationDependencies,
  actor: Actor,
  correction: ManualStorageCorrection,
): Promise<StorageCorrectionRow[]> {
  const { bytes_delta, reason } = correction
  const asset_id = correction.asset_id?.toLowerCase() ?? null
  if (bytes_delta === 0) throw new Problem('invalid-state', 'The correction must not be 0 bytes.')
  const records = await readLockedRecords(dependencies, tx, actor.organization)
  const object_path =
    asset_id === null ? getOrganizationBlobPrefix(actor.organization) : findObjectPath(records, asset_id)
  const sumBytes = (lines: readonly StoredBytes[]): number => lines.reduce((sum, line) => sum + line.bytes, 0)
  const asset_bytes = sumBytes(
    records.journal.filter((line) => line.asset_id === asset_id && line.object_path === object_path),
  )
  const total_bytes = sumBytes(records.journal)
  const available_bytes = asset_id === null ? total_bytes : asset_bytes
  if (bytes_delta < 0 && available_bytes + bytes_delta < 0) {
    throw new Problem(
      'invalid-state',
      `Cannot remove ${-bytes_delta} bytes: the journal has only ${available_bytes} bytes.`,
    )
  }
  if (Math.max(Math.abs(asset_bytes + bytes_delta), total_bytes + bytes_delta) > max_organization_bytes) {
    throw new Problem(
      'invalid-state',
      'The correction exceeds the maximum number of bytes that an organization can store.',
    )
  }
  return appendCorrections(tx, actor, [{ asset_id, object_path, bytes_delta, cause: 'corrected' }], reason)
}

/** The object path of an asset, or its last one in the journal. Throws `not-found`. */
function findObjectPath({ assets, journal }: StorageRecords, asset_id: string): string {
  const record = [...assets, ...journal].find((entry) => entry.asset_id === asset_id)
  if (!record) throw new Problem('not-found', `No asset with stored bytes has the id "${asset_id}".`)
  return record.object_path
}
