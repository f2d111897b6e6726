import type { Queryable } from '../../../packages/server/src/platform/database/database.ts'
import { sql, type Sql } from '../../../packages/server/src/platform/database/sql.ts'
import { allOrganizations, ledgerInvariants, oneOrganization } from '../../../packages/server/test/ledger-invariants.ts'

/** An invariant; each row that the statement returns is a violation. */
export type Rule = readonly [sentence: string, statement: Sql]

/** Runs all rules as one statement, planned once, since some are run after every step. */
export async function findViolations(database: Queryable, rules: readonly Rule[]): Promise<string[]> {
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
export const findLedgerViolations = (database: Queryable, organization?: string): Promise<string[]> => {
  const filter = organization === undefined ? allOrganizations : oneOrganization(organization)
  return findViolations(
    database,
    ledgerInvariants.map(([sentence, statement]) => [sentence, statement(filter)] as const),
  )
}
