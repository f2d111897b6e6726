import { listCitusNodes } from '../../../packages/server/test/citus/cluster.ts'
import type { Database, SqlStatementRunner } from '../../../packages/server/src/platform/database/database.ts'
import { openDatabase } from '../../../packages/server/src/platform/database/open-database.ts'
import { sql, type Sql } from '../../../packages/server/src/platform/database/sql.ts'
import { closeAtEnd } from './resources.ts'
import { allOrganizations, ledgerInvariants, oneOrganization } from '../../../packages/server/test/ledger-invariants.ts'

/** An invariant; each row that the statement returns is a violation. */
export type Rule = readonly [sentence: string, statement: Sql]

/** A row that a rule does not allow, as JSON. */
interface RuleViolation {
  readonly sentence: string
  readonly violation: string
}

/** Runs all rules as one statement, planned once, since some are run after every step; Citus plans none that large. */
export async function findViolations(database: SqlStatementRunner, rules: readonly Rule[]): Promise<string[]> {
  const rows = listCitusNodes() === null ? await checkTogether(database, rules) : await checkEach(database, rules)
  return [...Map.groupBy(rows, ({ sentence }) => sentence)].map(([sentence, found]) => {
    const first = found.slice(0, 3).map(({ violation }) => violation)
    return `${sentence} (${found.length}): ${first.join(', ')}`
  })
}

function checkTogether(database: SqlStatementRunner, rules: readonly Rule[]): Promise<RuleViolation[]> {
  const statements = rules.map(
    ([sentence, statement]) =>
      sql`select ${sentence}::text as sentence, to_jsonb(violation)::text as violation from (${statement}) violation`,
  )
  return database.query<RuleViolation>(sql.generic(sql.join(statements, sql` union all `)))
}

async function checkEach(database: SqlStatementRunner, rules: readonly Rule[]): Promise<RuleViolation[]> {
  const violations: RuleViolation[] = []
  for (const [sentence, statement] of rules)
    for (const row of await database.query<object>(statement))
      violations.push({ sentence, violation: JSON.stringify(row) })
  return violations
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
  return closeAtEnd(
    await openDatabase({
      ...server,
      ...timeouts,
      database_pool: 2,
      database_mode: listCitusNodes() === null ? 'plain' : 'citus',
    }),
  )
}

/** After everything that is paid for has ended. */
export const openHoldRule = (subject: string): Rule => [
  `a hold is open although every ${subject} has ended`,
  sql`select h.id from credit_holds h left join credit_hold_resolutions r
        on r.organization_id = h.organization_id and r.hold_id = h.id
      where r.hold_id is null`,
]
