import { triggerReplacements } from '../../src/platform/database/distribution/plan.ts'
import type {
  SchemaCatalog,
  PgCatalogConstraintRow,
  PgCatalogTableRow,
} from '../../src/platform/database/schema/catalog.ts'

// Rules for every table, so that tables can be distributed by organization and no organization sees rows of another. Each
// rule returns one message per violation.

type Rule = (catalog: SchemaCatalog) => readonly string[]

const key = 'organization_id'
const table_purposes: readonly string[] = ['tenant', 'shared', 'directory', 'machinery']
/** The required policies of each kind of table, by role. */
const expected_policies: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  tenant: {
    swath_across: 'true',
    swath_app: `(organization_id = (current_setting('app.organization_id'::text))::uuid)`,
  },
  directory: { swath_across: 'true' },
}
const row_privileges: readonly string[] = ['select', 'insert', 'update', 'delete']

const withPurpose = (catalog: SchemaCatalog, purpose: string): PgCatalogTableRow[] =>
  catalog.tables.filter((table) => table.purpose === purpose)

const purposeOf = (catalog: SchemaCatalog, table: string): string | null =>
  catalog.tables.find((row) => row.name === table)?.purpose ?? null

const declaredPurpose: Rule = ({ tables }) =>
  tables
    .filter((table) => !table_purposes.includes(table.purpose ?? ''))
    .map(
      (table) =>
        `${table.name}: its migration does not declare the kind of the table (select swath_tenant_table('${table.name}') …)`,
    )

const organizationColumn: Rule = (catalog) =>
  withPurpose(catalog, 'tenant').flatMap(({ name }) => {
    const column = catalog.columns.find((row) => row.table === name && row.name === key)
    if (!column) return [`${name}: a tenant table must have a column ${key}`]
    const violations = []
    if (column.type !== 'uuid' || !column.not_null) violations.push(`${name}: ${key} must be "uuid not null"`)
    if (column.default !== null) violations.push(`${name}: ${key} must have no default`)
    return violations
  })

const primaryKey: Rule = (catalog) =>
  withPurpose(catalog, 'tenant').flatMap(({ name }) => {
    const primary = catalog.constraints.find((row) => row.table === name && row.kind === 'p')
    if (!primary) return [`${name}: a tenant table must have a primary key`]
    return primary.columns[0] === key ? [] : [`${name}: its primary key must begin with ${key}`]
  })

const tenantConstraints = (catalog: SchemaCatalog, kind: PgCatalogConstraintRow['kind']): PgCatalogConstraintRow[] =>
  catalog.constraints.filter((row) => row.kind === kind && purposeOf(catalog, row.table) === 'tenant')

const uniqueConstraints: Rule = (catalog) => [
  ...tenantConstraints(catalog, 'u')
    .filter((row) => row.columns[0] !== key)
    .map((row) => `${row.table}: ${row.name} must begin with ${key}`),
  ...tenantConstraints(catalog, 'x').map((row) => `${row.table}: ${row.name} is an exclusion constraint`),
  ...catalog.indexes
    .filter((row) => row.unique && row.first_column !== key && purposeOf(catalog, row.table) === 'tenant')
    .map((row) => `${row.table}: the unique index ${row.name} must begin with ${key}`),
]

const foreignKeys: Rule = (catalog) =>
  catalog.constraints
    .filter((row) => row.kind === 'f')
    .flatMap((row) => {
      const [from, to] = [purposeOf(catalog, row.table), purposeOf(catalog, row.target ?? '')]
      if (from === 'tenant' && to === 'shared') return []
      if (from !== to) return [`${row.table}: ${row.name} references a ${to} table from a ${from} table`]
      const both = row.columns[0] === key && row.target_columns?.[0] === key
      return from !== 'tenant' || both ? [] : [`${row.table}: ${row.name} must begin with ${key} on both sides`]
    })

const noSequences: Rule = ({ columns, others }) => [
  ...columns
    .filter((column) => column.identity || column.default?.includes('nextval('))
    .map((column) => `${column.table}: ${column.name} uses a sequence`),
  ...others.map((other) => `${other.name}: a ${other.kind} is not allowed`),
]

/** A trigger may only refuse a change, which something else refuses too where tables are distributed: they have no triggers. */
const triggers: Rule = (catalog) =>
  catalog.triggers
    .filter((trigger) => !triggerReplacements.has(trigger.function))
    .map(
      (trigger) =>
        `${trigger.table}: ${trigger.name} is a trigger whose function nothing replaces: ${trigger.function}`,
    )

const rowSecurity: Rule = (catalog) =>
  catalog.tables.flatMap(({ name, purpose, row_security, forced }) => {
    const expected = expected_policies[purpose ?? '']
    if (!expected) {
      const names = catalog.columns.some((row) => row.table === name && row.name === key)
      return names ? [`${name}: a ${purpose} table must not have a column ${key}`] : []
    }
    // A restrictive policy takes rows away from what the others show.
    const policies = catalog.policies.filter((row) => row.table === name && row.permissive)
    const violations = row_security ? [] : [`${name}: row-level security is off`]
    if (!forced) violations.push(`${name}: row-level security is not forced for its owner`)
    for (const [role, using] of Object.entries(expected)) {
      const [only, second] = policies.filter((row) => row.roles.includes(role))
      const isExpected =
        only?.using === using && only.check === null && only.command === 'all' && only.roles.length === 1
      if (!isExpected || second)
        violations.push(`${name}: its only policy for ${role} must be ${using} for all commands`)
    }
    if (policies.length !== Object.keys(expected).length) violations.push(`${name}: it has too many policies`)
    return violations
  })

/** Rows of a partition are reached through its table, so that the policies of the table apply. */
const partitions: Rule = (catalog) =>
  catalog.partitions.flatMap(({ name, is_forced, is_open }) => [
    ...(is_forced ? [] : [`${name}: row-level security is not forced for its owner`]),
    ...(is_open ? [`${name}: a partition must have no privileges or policies of its own`] : []),
  ])

/** The privileges that each role may have at most on each kind of table. */
const allowed_privileges: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  swath_app: { tenant: row_privileges, shared: row_privileges },
  swath_across: { tenant: row_privileges, shared: row_privileges, directory: row_privileges, machinery: ['select'] },
}

const grants: Rule = (catalog) =>
  catalog.grants.flatMap(({ table, role, privilege }) => {
    const allowedHere = allowed_privileges[role]?.[purposeOf(catalog, table) ?? ''] ?? []
    return allowedHere.includes(privilege) ? [] : [`${table}: ${role} has the privilege ${privilege}`]
  })

const rules: readonly Rule[] = [
  declaredPurpose,
  organizationColumn,
  primaryKey,
  uniqueConstraints,
  foreignKeys,
  noSequences,
  triggers,
  rowSecurity,
  partitions,
  grants,
]

/** The messages of all violated rules; empty for a valid schema. */
export const findSchemaViolations = (catalog: SchemaCatalog): string[] => rules.flatMap((rule) => rule(catalog))
