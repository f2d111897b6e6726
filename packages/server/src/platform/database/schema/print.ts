import { fileURLToPath } from 'node:url'
import type {
  SchemaCatalog,
  PgCatalogColumnRow,
  PgCatalogFunctionRow,
  PgCatalogPolicyRow,
  PgCatalogTableRow,
} from './catalog.ts'

/** The printed schema, reviewed as a diff. */
export const golden_schema_path = fileURLToPath(new URL('../../../../schema.sql', import.meta.url))

const heading = `-- The whole schema after the last migration, printed from the catalog (npm run db -- dump). Not run by anything: it is here to be
-- read and reviewed as a difference. Extensions, and the tables of the queue's library, are not ours and not shown.
`

const quoteIdentifier = (name: string): string => (/^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name}"`)

function printColumn(column: PgCatalogColumnRow): string {
  const clauses = [
    quoteIdentifier(column.name),
    column.type,
    column.collation === null ? '' : `collate "${column.collation}"`,
    column.not_null ? 'not null' : '',
    column.default === null
      ? ''
      : column.generated
        ? `generated always as (${column.default}) stored`
        : `default ${column.default}`,
    column.identity ? 'generated as identity' : '',
  ]
  return clauses.filter((word) => word !== '').join(' ')
}

function printPolicy(policy: PgCatalogPolicyRow): string {
  const clauses = [
    `create policy ${quoteIdentifier(policy.name)} on ${quoteIdentifier(policy.table)}`,
    policy.permissive ? '' : 'as restrictive',
    policy.command === 'all' ? '' : `for ${policy.command}`,
    `to ${policy.roles.join(', ')}`,
    policy.using === null ? '' : `using ${policy.using}`,
    policy.check === null ? '' : `with check ${policy.check}`,
  ]
  return `${clauses.filter((word) => word !== '').join(' ')};`
}

function printGrants(catalog: SchemaCatalog, table: string): string[] {
  const byRole = Map.groupBy(
    catalog.grants.filter((grant) => grant.table === table),
    (grant) => grant.role,
  )
  return [...byRole].map(
    ([role, grants]) =>
      `grant ${grants.map((grant) => grant.privilege).join(', ')} on ${quoteIdentifier(table)} to ${role};`,
  )
}

const rowsOfTable = <Row extends { readonly table: string }>(rows: readonly Row[], table: string): Row[] =>
  rows.filter((row) => row.table === table)

/** Partitions by hash are part of the schema; those by range depend on the day. */
const printPartitions = ({ partitions }: SchemaCatalog, { name, partition_key }: PgCatalogTableRow): string[] =>
  partition_key?.startsWith('HASH')
    ? rowsOfTable(partitions, name).map(
        (part) => `create table ${quoteIdentifier(part.name)} partition of ${quoteIdentifier(name)} ${part.bound};`,
      )
    : []

function printTable(catalog: SchemaCatalog, table: PgCatalogTableRow): string {
  const { name, purpose, row_security, forced, partition_key } = table
  const members = [
    ...rowsOfTable(catalog.columns, name).map(printColumn),
    ...rowsOfTable(catalog.constraints, name).map(
      (constraint) => `constraint ${quoteIdentifier(constraint.name)} ${constraint.definition}`,
    ),
  ]
  const lines = [
    `create table ${quoteIdentifier(name)} (\n${members.map((member) => `  ${member}`).join(',\n')}\n)${partition_key === null ? '' : ` partition by ${partition_key}`};`,
    ...rowsOfTable(catalog.indexes, name).map((index) => `${index.definition};`),
    ...printPartitions(catalog, table),
    ...(purpose === null ? [] : [`comment on table ${quoteIdentifier(name)} is '${purpose}';`]),
    ...(row_security ? [`alter table ${quoteIdentifier(name)} enable row level security;`] : []),
    ...(forced ? [`alter table ${quoteIdentifier(name)} force row level security;`] : []),
    ...rowsOfTable(catalog.policies, name).map(printPolicy),
    ...printGrants(catalog, name),
    ...rowsOfTable(catalog.triggers, name).map((trigger) => `${trigger.definition};`),
  ]
  return lines.join('\n')
}

const printFunction = (row: PgCatalogFunctionRow): string =>
  `${row.definition.trimEnd()};${row.public_execute ? '' : `\nrevoke execute on function ${row.name} from public;`}`

/** The text of `schema.sql`: the same for the same schema on every supported database. */
export function printSchema(catalog: SchemaCatalog): string {
  const parts = [
    heading.trimEnd(),
    ...catalog.others.map((other) => `-- ${other.kind} ${other.name}`),
    ...catalog.tables.map((table) => printTable(catalog, table)),
    ...catalog.functions.map(printFunction),
  ]
  return `${parts.join('\n\n')}\n`
}
