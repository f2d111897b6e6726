import { monotonic_ms } from '../clock.ts'
import { type Database, type DbConnection } from './database.ts'
import { isDatabaseOutage, isTransactionConflict } from './failures.ts'
import { sql } from './sql.ts'

/** The time that a search waits for the replica to catch up before it runs on the primary. */
const max_wait_ms = 20
const wait_step_ms = 5
/** After a wait without success, searches do not wait for this long: the replica is further behind. */
const no_wait_ms = 1000
/** After a failure of the replica, all searches run on the primary for this long. */
const retry_after_ms = 5000

interface ReplicaLog {
  warn(fields: object, message: string): void
}

interface SearchReplicaOptions {
  /** Connects to the replica; called at the first search, and again after a failure. */
  readonly open: () => Promise<Database>
  readonly log?: ReplicaLog | undefined
  /** Milliseconds of a clock that never goes back; tests pass their own. */
  readonly clock_ms?: () => number
  readonly sleep?: (ms: number) => Promise<void>
}

/** A position in the write-ahead log as a number: `16/B374D848` is 0x16 · 2³² + 0xB374D848. */
export function parseWalPosition(text: string): bigint {
  const [high = '0', low = '0'] = text.split('/')
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}

/** The state of the replica in the wrapper. */
interface ReplicaState {
  database: Promise<Database> | null
  /** The position up to which it was seen to have replayed; it only advances. */
  replayed: bigint
  skipUntil_ms: number
  noWaitUntil_ms: number
}

/**
 * The same database, whose item searches run on a streaming replica where that cannot be noticed. Every search first reads
 * how far the primary has flushed its log: whatever was committed before, by any process, lies before that position. It
 * runs on the replica once that has replayed as far, and on the primary if it does not within 20 ms, or fails.
 */
export function withSearchReplica(primary: Database, options: SearchReplicaOptions): Database {
  const state: ReplicaState = { database: null, replayed: 0n, skipUntil_ms: 0, noWaitUntil_ms: 0 }
  const replica = createReplicaAccess(state, options)
  return {
    ...primary,
    get spatial_policy() {
      return primary.spatial_policy
    },
    forItemSearch: (organization) => createSearchConnection(primary.forItemSearch(organization), organization, replica),
    refresh: async () => {
      await primary.refresh()
      await replica.refresh()
    },
    close: async () => {
      const opened = state.database
      state.database = null
      state.skipUntil_ms = Infinity
      await Promise.all([primary.close(), opened?.then((database) => database.close()).catch(() => undefined)])
    },
  }
}

interface ReplicaAccess {
  /** A connection of the replica that shows all that is committed on the primary; null if there is none now. */
  findCurrent(primary: DbConnection, organization: string): Promise<DbConnection | null>
  /** Handles an error of the replica: throws it if the primary would fail in the same way. */
  handleError(error: unknown): void
  refresh(): Promise<void>
}

function createReplicaAccess(state: ReplicaState, options: SearchReplicaOptions): ReplicaAccess {
  const { clock_ms = monotonic_ms, sleep = wait, log } = options
  const suspend = (error: unknown): void => {
    state.skipUntil_ms = Math.max(state.skipUntil_ms, clock_ms() + retry_after_ms)
    state.replayed = 0n
    log?.warn({ error }, 'the replica for searches failed; searches run on the primary')
  }
  const open = (): Promise<Database> => (state.database ??= options.open())
  const hasReplayed = async (connection: DbConnection, position: bigint): Promise<boolean> => {
    if (state.replayed >= position) return true
    // Null if it is no replica, or was promoted: then its rows are not those of the primary.
    const [row] = await connection.query<{ position: string | null }>(
      sql`select case when pg_is_in_recovery() then pg_last_wal_replay_lsn()::text end as position`,
    )
    if (!row?.position) throw new Error('the server of DATABASE_REPLICA_URL is not a replica')
    state.replayed = parseWalPosition(row.position)
    return state.replayed >= position
  }
  const catchUp = async (connection: DbConnection, position: bigint): Promise<boolean> => {
    const start_ms = clock_ms()
    while (!(await hasReplayed(connection, position))) {
      if (start_ms < state.noWaitUntil_ms) return false
      if (clock_ms() - start_ms >= max_wait_ms) {
        state.noWaitUntil_ms = clock_ms() + no_wait_ms
        return false
      }
      await sleep(wait_step_ms)
    }
    return true
  }
  return {
    findCurrent: async (primary, organization) => {
      if (clock_ms() < state.skipUntil_ms) return null
      const position = await readFlushedPosition(primary)
      try {
        const connection = (await open()).forItemSearch(organization)
        return (await catchUp(connection, position)) ? connection : null
      } catch (error) {
        // A replica that could not be opened is opened again later.
        void state.database?.catch(() => (state.database = null))
        suspend(error)
        return null
      }
    },
    handleError: (error) => {
      if (isDatabaseOutage(error)) return suspend(error)
      // A replica cancels statements that conflict with its recovery; the primary would run them.
      if (!isTransactionConflict(error)) throw error
    },
    refresh: async () => {
      await state.database?.then((database) => database.refresh()).catch(suspend)
    },
  }
}

async function readFlushedPosition(primary: DbConnection): Promise<bigint> {
  const [row] = await primary.query<{ position: string }>(sql`select pg_current_wal_flush_lsn()::text as position`)
  return parseWalPosition(row!.position)
}

const createSearchConnection = (primary: DbConnection, organization: string, replica: ReplicaAccess): DbConnection => ({
  organization,
  query: async (statement) => {
    const current = await replica.findCurrent(primary, organization)
    if (!current) return primary.query(statement)
    try {
      return await current.query(statement)
    } catch (error) {
      replica.handleError(error)
      return primary.query(statement)
    }
  },
  transaction: (work) => primary.transaction(work),
})

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
