import type { SqlStatementRunner } from '../../platform/database/database.ts'
import { listOrganizationNames } from './store.for-operators.ts'

/** Rows of several organizations with the name of each, for operators. Needs the unscoped connection. */
export async function withOrganizationNames<Row extends { readonly organization_id: string | null }>(
  unscoped: SqlStatementRunner,
  rows: readonly Row[],
): Promise<(Row & { organization_name: string | null })[]> {
  const ids = new Set(rows.flatMap(({ organization_id: id }) => (id === null ? [] : [id])))
  const names = new Map((await listOrganizationNames(unscoped, [...ids])).map(({ id, name }) => [id, name]))
  return rows.map((row) => ({ ...row, organization_name: names.get(row.organization_id ?? '') ?? null }))
}
