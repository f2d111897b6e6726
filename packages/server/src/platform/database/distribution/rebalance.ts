import { setTimeout } from 'node:timers/promises'
import { getSqlState, type Database, type DbConnection } from '../database.ts'
import { getSchemaOwnerConnection, getStatementRunner } from '../raw.ts'
import { sql } from '../sql.ts'
import { runOnNodes } from './node-commands.ts'
import { requireNodeSettings } from './node-settings.ts'
import { databaseDistributionRefused } from './plan.ts'

/** How many of the moves of shards of a rebalance are in each state. */
export interface RebalanceProgress {
  readonly state: string
  readonly moves: Readonly<Record<string, number>>
}

export interface RebalanceOptions {
  /** A worker, as `host:port`, from which all shards go. Null: the workers get about the same size of them. */
  readonly drained: string | null
  readonly onProgress?: (progress: RebalanceProgress) => void
  /** Cancels the moves that are not done. */
  readonly signal?: AbortSignal
}

const poll_ms = 1_000
/** Citus tries a move that failed 32 times within half an hour. */
const max_tries = 3

/**
 * Moves shards between the workers while rows are written, as the role that owns the schema: shards of the same organizations
 * move together. Continues a rebalance that is running. Throws `distribution-refused` if a move fails; what has moved
 * stays, and a repeated call goes on.
 *
 * Citus copies a shard as a role that belongs to the owner of its table, which PostgreSQL lets replicate into no table whose
 * policies hold for the owner, too. So they do not hold for it meanwhile: those of the service are never off. After a process
 * that was killed here the owner is without them until this is repeated, or `distribute`.
 */
export async function rebalanceShards(database: Database, options: RebalanceOptions): Promise<void> {
  const { drained } = options
  const owner = getSchemaOwnerConnection(database)
  await requireNodeSettings(owner)
  if (drained !== null) {
    const [host, port] = splitAddress(drained)
    await retryLocks(() =>
      owner.query(sql`select citus_set_node_property(${host}, ${port}::integer, 'shouldhaveshards', false)`),
    )
  }
  const running = await findRunningRebalance(owner)
  let job: number | null = running
  try {
    await setOwnerPolicies(owner, false)
    job = running ?? (await startRebalance(owner, drained !== null))
    if (job !== null) await waitForRebalance(owner, job, options)
  } finally {
    // Policies that hold for the owner again would stop moves that go on, and wait for them in front of every call.
    if (job !== null) await endRebalance(owner, job)
    await setOwnerPolicies(owner, true)
  }
}

function splitAddress(address: string): [host: string, port: string] {
  const { hostname, port } = new URL(`postgres://${address}`)
  if (hostname === '' || port === '') throw databaseDistributionRefused(`"${address}" is not the host:port of a worker`)
  return [hostname, port]
}

/** The number of the rebalance that has not ended; null if there is none. */
export async function findRunningRebalance(owner: DbConnection): Promise<number | null> {
  const [job] = await owner.query<{ id: number }>(sql`
    select job_id as id from pg_dist_background_job
    where job_type = 'rebalance' and state::text in ('scheduled', 'running', 'cancelling', 'failing') limit 1`)
  return job?.id ?? null
}

/** Null if there is nothing to move. */
async function startRebalance(owner: DbConnection, isDrain: boolean): Promise<number | null> {
  const [job] = await retryLocks(() =>
    owner.query<{ id: number | null }>(
      sql`select citus_rebalance_start(drain_only => ${isDrain}, shard_transfer_mode => 'auto') as id`,
    ),
  )
  return job?.id ?? null
}

async function waitForRebalance(
  owner: DbConnection,
  id: number,
  { onProgress, signal }: RebalanceOptions,
): Promise<void> {
  for (;;) {
    signal?.throwIfAborted()
    const { progress, tries, message } = await readRebalance(owner, id)
    onProgress?.(progress)
    if (progress.state === 'finished') return
    if (tries >= max_tries || ['cancelled', 'failed'].includes(progress.state))
      throw databaseDistributionRefused(`a shard was not moved: ${message ?? 'the rebalance was cancelled'}`)
    await setTimeout(poll_ms, undefined, { signal })
  }
}

interface RebalanceState {
  readonly progress: RebalanceProgress
  /** The most tries that a move has needed. */
  readonly tries: number
  readonly message: string | null
}

async function readRebalance(owner: DbConnection, id: number): Promise<RebalanceState> {
  const rows = await owner.query<{
    state: string
    task_state: string
    moves: number
    tries: number
    message: string | null
  }>(sql`
    select j.state::text as state, t.status::text as task_state, count(*)::integer as moves,
      max(coalesce(t.retry_count, 0))::integer as tries, max(t.message) filter (where t.retry_count > 0) as message
    from pg_dist_background_job j join pg_dist_background_task t on t.job_id = j.job_id
    where j.job_id = ${id} group by 1, 2 order by 2`)
  return {
    progress: {
      state: rows[0]?.state ?? 'finished',
      moves: Object.fromEntries(rows.map(({ task_state, moves }) => [task_state, moves])),
    },
    tries: Math.max(0, ...rows.map(({ tries }) => tries)),
    message: rows.find(({ message }) => message !== null)?.message?.trim() ?? null,
  }
}

/** Cancels a rebalance that has not ended, and waits until nothing moves. */
async function endRebalance(owner: DbConnection, id: number): Promise<void> {
  if ((await findRunningRebalance(owner)) !== id) return
  await owner.query(sql`select citus_job_cancel(${id})`)
  while ((await findRunningRebalance(owner)) === id) await setTimeout(poll_ms)
}

const lock_tries = 20
/** The SQLSTATEs of a lock that was not given in time, and of a deadlock with calls on several nodes. */
const lockStates: ReadonlySet<string | null> = new Set(['55P03', '40P01'])

/** Says whether the policies of distributed tables hold for the owner of the schema, too. */
export async function setOwnerPolicies(owner: DbConnection, isForced: boolean): Promise<void> {
  const rows = await owner.query<{ name: string }>(sql`
    select c.relname::text as name
    from pg_dist_partition d join pg_catalog.pg_class c on c.oid = d.logicalrelid
    where c.relrowsecurity and c.relforcerowsecurity <> ${isForced}
    order by 1`)
  for (const { name } of rows) await setOwnerPolicy(owner, name, isForced)
}

/**
 * Changes the table of the coordinator, whose form a shard has that is moved, and each shard by itself: a change of all at
 * once waits on several nodes for calls that wait for it. The table is forced last and freed first, so that one whose
 * shards may be free is always found again.
 */
async function setOwnerPolicy(owner: DbConnection, table: string, isForced: boolean): Promise<void> {
  const change = `${isForced ? '' : 'no '}force row level security`
  if (!isForced) await changeCoordinatorTable(owner, table, change)
  await runOnNodes(owner, `alter table %s ${change}`, `policies of ${table} were not changed`, table)
  if (isForced) await changeCoordinatorTable(owner, table, change)
}

/** Waits for the lock for a short time only, again and again, because whoever comes later waits behind it. */
const changeCoordinatorTable = (owner: DbConnection, table: string, change: string): Promise<void> =>
  retryLocks(() =>
    owner.transaction(async (tx) => {
      await tx.query(sql`set local lock_timeout = '2s'`)
      await tx.query(sql`set local citus.enable_ddl_propagation = off`)
      await getStatementRunner(tx).script(`alter table public."${table}" ${change}`)
    }),
  )

/** Repeats work that was refused a lock, or was part of a deadlock with calls on several nodes. */
async function retryLocks<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!lockStates.has(getSqlState(error)) || tries === lock_tries) throw error
      await setTimeout(poll_ms)
    }
  }
}
