import type { Call } from '../../../engine/call.ts'
import { Problem } from '../../../engine/problem.ts'
import type { Blobs } from '../../../platform/blobs/blobs.ts'
import type { Db, Queryable, Tx } from '../../../platform/database/database.ts'
import { newId } from '../../../platform/ids.ts'
import type { Actor } from '../../events/emit.ts'
import { everyOrganization } from '../../organizations/named.ts'
import {
  folderOf,
  listStoredBytes,
  lockStoredBytes,
  recordBytes,
  type BytesCause,
  type BytesRow,
  type StoredBytes,
} from '../../usage/stored-bytes.ts'
import { compare, type Comparison, type DriftKind, type ObjectSizes, type StoredAsset } from './drift.ts'
import { insertCorrections, insertRun, type CorrectionRow, type RunRow } from './store.reconciliation.ts'
import { measureObjects } from './stored-objects.ts'

/** Lists the assets of an organization; passed in by the caller, because this tier must not import the assets module. */
export type AssetsOf = (db: Queryable, organization: string) => Promise<readonly StoredAsset[]>

/** The dependencies of comparisons and corrections. */
export interface Ground {
  /** The unscoped connection; every statement names an organization. */
  readonly db: Db
  readonly blobs: Blobs
  readonly signal: AbortSignal
  readonly assetsOf: AssetsOf
}

export const groundOf = (call: Pick<Call, 'across' | 'blobs' | 'signal'>, assetsOf: AssetsOf): Ground => ({
  db: call.across,
  blobs: call.blobs,
  signal: call.signal,
  assetsOf,
})

interface Books {
  readonly assets: readonly StoredAsset[]
  readonly journal: readonly StoredBytes[]
}

/** Reads assets and journal consistently; other writers of the journal wait until the transaction ends. */
async function readBooks(ground: Ground, tx: Tx, organization: string): Promise<Books> {
  await lockStoredBytes(tx, organization)
  return { assets: await ground.assetsOf(tx, organization), journal: await listStoredBytes(tx, organization) }
}

async function look(ground: Ground, organization: string): Promise<{ comparison: Comparison; sizes: ObjectSizes }> {
  const { assets, journal } = await ground.db.transaction((tx) => readBooks(ground, tx, organization))
  const paths = assets.map((asset) => asset.object_path)
  const sizes = await measureObjects(ground.blobs, organization, paths, ground.signal)
  return { comparison: compare(assets, journal, sizes), sizes }
}

/** Compares the storage journal of an organization with the object storage; writes nothing. */
export const compareStorage = async (ground: Ground, organization: string): Promise<Comparison> =>
  (await look(ground, organization)).comparison

/** Compares and stores the result as a run, flagged if the totals differ by more than the threshold. */
export async function runReconciliation(ground: Ground, actor: Actor, threshold_bytes: number): Promise<RunRow> {
  const started_at = actor.clock.now()
  const { journal_bytes, stored_bytes } = await compareStorage(ground, actor.organization)
  const drift_bytes = journal_bytes - stored_bytes
  const run: RunRow = {
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
  await insertRun(ground.db, run)
  return run
}

/** Reconciles every organization in turn; each run is stored on its own. */
export async function runEveryReconciliation(
  ground: Ground,
  actorIn: (organization: string) => Actor,
  threshold_bytes: number,
): Promise<RunRow[]> {
  const runs: RunRow[] = []
  for (const organization of await everyOrganization(ground.db)) {
    ground.signal.throwIfAborted()
    runs.push(await runReconciliation(ground, actorIn(organization), threshold_bytes))
  }
  return runs
}

/** Appends rows to the journal, each with a correction. Existing rows and credits do not change. */
async function correct(tx: Tx, actor: Actor, rows: readonly BytesRow[], reason: string): Promise<CorrectionRow[]> {
  if (rows.length === 0) return []
  const ids = await recordBytes(tx, actor, rows)
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
  await insertCorrections(tx, actor.organization, corrections)
  return corrections
}

/** The kinds of drift that can be corrected automatically, with cause and reason of the correction. */
const mends: Readonly<Record<Exclude<DriftKind, 'drift'>, { cause: BytesCause; reason: string }>> = {
  missing: { cause: 'backfilled', reason: 'the object exists and the journal had no bytes' },
  stale: { cause: 'went_stale', reason: 'the journal had bytes and the object does not exist' },
  negative: { cause: 'zeroed', reason: 'the sum of the journal was negative' },
}

/**
 * Corrects all drift of one kind. The storage is read before the transaction, and the corrections are computed again
 * under the journal lock, so that a concurrent call finds nothing to do.
 */
export async function mendDrift(ground: Ground, actor: Actor, kind: keyof typeof mends): Promise<CorrectionRow[]> {
  const { comparison, sizes } = await look(ground, actor.organization)
  if (!comparison.drifts.some((drift) => drift.kind === kind)) return []
  const { cause, reason } = mends[kind]
  return ground.db.transaction(async (tx) => {
    const { assets, journal } = await readBooks(ground, tx, actor.organization)
    const rows = compare(assets, journal, sizes)
      .drifts.filter((drift) => drift.kind === kind)
      .map(({ asset_id, object_path, journal_bytes, stored_bytes }) => ({
        asset_id,
        object_path,
        bytes_delta: kind === 'missing' ? stored_bytes : -journal_bytes,
        cause,
      }))
    return correct(tx, actor, rows, reason)
  })
}

/** More than any organization stores, and low enough that sums stay safe integers. */
const most_bytes = 2 ** 52

/**
 * Corrects the journal manually, for one asset or (null) the organization as a whole. Throws `not-found` for an asset
 * without stored bytes, `invalid-state` for a correction of zero or one that removes more bytes than are stored.
 */
export async function correctByHand(
  ground: Ground,
  actor: Actor,
  terms: { readonly asset_id: string | null; readonly bytes_delta: number; readonly reason: string },
): Promise<CorrectionRow[]> {
  const { bytes_delta, reason } = terms
  const asset_id = terms.asset_id?.toLowerCase() ?? null
  if (bytes_delta === 0) throw new Problem('invalid-state', 'The correction must not be 0 bytes.')
  return ground.db.transaction(async (tx) => {
    const books = await readBooks(ground, tx, actor.organization)
    const object_path = asset_id === null ? folderOf(actor.organization) : pathOf(books, asset_id)
    const sumOf = (lines: readonly StoredBytes[]): number => lines.reduce((sum, line) => sum + line.bytes, 0)
    const own = sumOf(books.journal.filter((line) => line.asset_id === asset_id && line.object_path === object_path))
    const total = sumOf(books.journal)
    const held = asset_id === null ? total : own
    if (bytes_delta < 0 && held + bytes_delta < 0) {
      throw new Problem('invalid-state', `Cannot remove ${-bytes_delta} bytes: the journal has only ${held} bytes.`)
    }
    if (Math.max(Math.abs(own + bytes_delta), total + bytes_delta) > most_bytes) {
      throw new Problem(
        'invalid-state',
        'The correction exceeds the maximum number of bytes that an organization can store.',
      )
    }
    return correct(tx, actor, [{ asset_id, object_path, bytes_delta, cause: 'corrected' }], reason)
  })
}

/** The object path of an asset, or its last one in the journal. Throws `not-found`. */
function pathOf({ assets, journal }: Books, asset_id: string): string {
  const found = [...assets, ...journal].find((entry) => entry.asset_id === asset_id)
  if (!found) throw new Problem('not-found', `No asset with stored bytes has the id "${asset_id}".`)
  return found.object_path
}
