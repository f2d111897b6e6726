import type { Database, SqlStatementRunner } from '../../../packages/server/src/platform/database/database.ts'
import { openDatabase } from '../../../packages/server/src/platform/database/open-database.ts'
import { sql, type Sql } from '../../../packages/server/src/platform/database/sql.ts'
import { closeAtEnd } from './resources.ts'
import { allOrganizations, ledgerInvariants, oneOrganization } from '../../../packages/server/test/ledger-invariants.ts'

/** An invariant; each row that the statement returns is a violation. */
export type Rule = readonly [sentence: string, statement: Sql]

/** Runs all rules as one statement, planned once, since some are run after every step. */
export async function findViolations(database: SqlStatementRunner, rules: readonly Rule[]): Promise<string[]> {
  const statements = rules.map(
    ([sentence, statement]) =>
      sql`select ${sentence}::text as sentence, to_jsonb(violation)::text as violation from (${statement}) violation`,
  )
  const rows = await database.query<{ sentence: string; violation: string }>(
    sql.generic(sql.join(statements, sql` union all `)),
  )
  return [...Map.groupBy(rows, ({ sentence }) => sentence)].map(([sentence, found]) => {
    const first = found.slice(0, 3).map(({ violation }) => violation)
    return `${sentence} (${found.length}): ${first.join(', ')}`
  })
}

/** Violations of the ledger of one organization, or of all. */
export const findLedgerViolations = (database: SqlStatementRunner, organization?: string): Promise<string[]> => {
  const filter = organization === undefined ? allOrganizations : oneOrganization(organization)
  return findViolations(
    database,
    ledgerInvariants.map(([sentence, statement]) => [sentence, statement(filter)] as const),
  )
}

/** Where a stopped server has its data; its database is in the folder if it has no address. */
export interface StoppedServer {
  readonly data_dir: string
  readonly database_url: string | null
}

/** Opens the database of a stopped server, for `await using`. */
export async function openStoppedDatabase(server: StoppedServer): Promise<Database & AsyncDisposable> {
  const timeouts = { statement_timeout_ms: 60_000, search_timeout_ms: 60_000 }
  return closeAtEnd(await openDatabase({ ...server, ...timeouts, database_pool: 2, database_mode: 'plain' }))
}

/** After everything that is paid for has ended. */
export const openHoldRule = (subject: string): Rule => [
  `a hold is open although every ${subject} has ended`,
  sql`select h.id from credit_holds h left join credit_hold_resolutions r
        on r.organization_id = h.organization_id and r.hold_id = h.id
      where r.hold_id is null`,
]
