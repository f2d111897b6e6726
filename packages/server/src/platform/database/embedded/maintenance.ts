import { monotonic_ms } from '../../clock.ts'
import type { StatementRunner } from '../driver.ts'

// Replaces the background processes of a PostgreSQL server, which the embedded one does not have.

const mebibyte = 1024 * 1024

export interface DatabaseMaintenanceRules {
  /** A checkpoint runs when the write-ahead log has grown by this much, */
  readonly checkpoint_bytes: number
  /** or when it has grown at all and the last checkpoint is this old. */
  readonly checkpoint_ms: number
  /** A table is vacuumed when it has more than this many dead rows, */
  readonly dead_rows: number
  /** plus this share of its live rows. */
  readonly dead_share: number
}

export const default_maintenance_rules: DatabaseMaintenanceRules = {
  checkpoint_bytes: 64 * mebibyte,
  checkpoint_ms: 300_000,
  dead_rows: 1_000,
  dead_share: 0.2,
}

/** The work that a run has done, for the log and for tests. */
export interface DatabaseMaintenanceReport {
  readonly checkpoint: boolean
  readonly vacuumed: readonly string[]
}

/** Rows modified since the last ANALYZE count like dead rows, because the planner statistics are outdated. */
const tablesToClean = `
  select format('%I.%I', schemaname, relname) as name
  from pg_stat_user_tables
  where n_dead_tup > $1::float8 + $2::float8 * n_live_tup
    or n_mod_since_analyze > $1::float8 + $2::float8 * n_live_tup
  order by n_dead_tup desc
  limit 8`

const logGrowth = `
  select pg_current_wal_lsn()::text as position, pg_wal_lsn_diff(pg_current_wal_lsn(), $1::pg_lsn)::int8 as grown`

/** Checks the write-ahead log and the tables; `runDue` does what is due and returns what was done. */
export function createDatabaseMaintenance(
  runner: StatementRunner,
  rules: DatabaseMaintenanceRules = default_maintenance_rules,
): { runDue(): Promise<DatabaseMaintenanceReport> } {
  let position = '0/0'
  let lastCheckpoint_ms = monotonic_ms()

  const checkpoint = async (): Promise<boolean> => {
    if (position === '0/0') {
      const { rows } = await runner.run('select pg_current_wal_lsn()::text as position', [])
      position = String(rows[0]?.['position'])
    }
    const { rows } = await runner.run(logGrowth, [position])
    const grown = Number(rows[0]?.['grown'])
    const due =
      grown >= rules.checkpoint_bytes || (grown > 0 && monotonic_ms() - lastCheckpoint_ms >= rules.checkpoint_ms)
    if (!due) return false
    await runner.script('checkpoint')
    const newPosition = await runner.run(logGrowth, [position])
    position = String(newPosition.rows[0]?.['position'])
    lastCheckpoint_ms = monotonic_ms()
    return true
  }

  const vacuum = async (): Promise<string[]> => {
    const { rows } = await runner.run(tablesToClean, [String(rules.dead_rows), String(rules.dead_share)])
    const names = rows.map((row) => String(row['name']))
    // The names are quoted by the server, and VACUUM accepts no parameters.
    for (const name of names) await runner.script(`vacuum (analyze) ${name}`)
    return names
  }

  return {
    runDue: async () => {
      const vacuumed = await vacuum()
      return { checkpoint: await checkpoint(), vacuumed }
    },
  }
}
