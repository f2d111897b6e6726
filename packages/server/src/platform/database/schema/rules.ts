import type { Catalog, ConstraintRow, TableRow } from './catalog.ts'

// Rules for every table, so that tables can be distributed by organization and no organization sees rows of another. Each
// rule returns one message per violation.

type Rule = (catalog: Catalog) => readonly string[]

const key = 'organization_id'
const purposes: readonly string[] = ['tenant', 'shared', 'directory', 'machinery']
/** The required policies of each kind of table, by role. */
const policiesOf: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  tenant: {
    swath_across: 'true',
    swath_app: `(organization_id = (current_setting('app.organization_id'::text))::uuid)`,
  },
  directory: { swath_across: 'true' },
}
const rowPrivileges: readonly string[] = ['select', 'insert', 'update', 'delete']

const withPurpose = (catalog: Catalog, purpose: string): TableRow[] =>
  catalog.tables.filter((table) => table.purpose === purpose)

const purposeOf = (catalog: Catalog, table: string): string | null =>
  catalog.tables.find((row) => row.name === table)?.purpose ?? null

const declared: Rule = ({ tables }) =>
  tables
    .filter((table) => !purposes.includes(table.purpose ?? ''))
    .map(
      (table) =>
        `${table.name}: its migration does not declare the kind of the table (select swath_tenant_table('${table.name}') …)`,
    )

const organizationColumn: Rule = (catalog) =>
  withPurpose(catalog, 'tenant').flatMap(({ name }) => {
    const column = catalog.columns.find((row) => row.table === name && row.name === key)
    if (!column) return [`${name}: a tenant table must have a column ${key}`]
    const faults = []
    if (column.type !== 'uuid' || !column.not_null) faults.push(`${name}: ${key} must be "uuid not null"`)
    if (column.default !== null) faults.push(`${name}: ${key} must have no default`)
    return faults
  })

const primaryKey: Rule = (catalog) =>
  withPurpose(catalog, 'tenant').flatMap(({ name }) => {
    const primary = catalog.constraints.find((row) => row.table === name && row.kind === 'p')
    if (!primary) return [`${name}: a tenant table must have a primary key`]
    return primary.columns[0] === key ? [] : [`${name}: its primary key must begin with ${key}`]
  })

const tenantConstraints = (catalog: Catalog, kind: ConstraintRow['kind']): ConstraintRow[] =>
  catalog.constraints.filter((row) => row.kind === kind && purposeOf(catalog, row.table) === 'tenant')

const unique: Rule = (catalog) => [
  ...tenantConstraints(catalog, 'u')
    .filter((row) => row.columns[0] !== key)
    .map((row) => `${row.table}: ${row.name} must begin with ${key}`),
  ...tenantConstraints(catalog, 'x').map((row) => `${row.table}: ${row.name} is an exclusion constraint`),
  ...catalog.indexes
    .filter((row) => row.unique && row.first_column !== key && purposeOf(catalog, row.table) === 'tenant')
    .map((row) => `${row.table}: the unique index ${row.name} must begin with ${key}`),
]

const foreign: Rule = (catalog) =>
  catalog.constraints
    .filter((row) => row.kind === 'f')
    .flatMap((row) => {
      const [from, to] = [purposeOf(catalog, row.table), purposeOf(catalog, row.target ?? '')]
      if (from === 'tenant' && to === 'shared') return []
      if (from !== to) return [`${row.table}: ${row.name} references a ${to} table from a ${from} table`]
      const both = row.columns[0] === key && row.target_columns?.[0] === key
      return from !== 'tenant' || both ? [] : [`${row.table}: ${row.name} must begin with ${key} on both sides`]
    })

const noCounters: Rule = ({ columns, others }) => [
  ...columns
    .filter((column) => column.identity || column.default?.includes('nextval('))
    .map((column) => `${column.table}: ${column.name} uses a sequence`),
  ...others.map((other) => `${other.name}: a ${other.kind} is not allowed`),
]

/** A trigger may only reject a change or maintain a count; the name of its function says which. */
const triggers: Rule = (catalog) =>
  catalog.triggers
    .filter((trigger) => !/^(?:refuse|count)_/.test(trigger.function))
    .map(
      (trigger) =>
        `${trigger.table}: ${trigger.name} is a trigger whose function does not begin with refuse_ or count_`,
    )

const rowSecurity: Rule = (catalog) =>
  catalog.tables.flatMap(({ name, purpose, row_security, forced }) => {
    const wanted = policiesOf[purpose ?? '']
    if (!wanted) {
      const names = catalog.columns.some((row) => row.table === name && row.name === key)
      return names ? [`${name}: a ${purpose} table must not have a column ${key}`] : []
    }
    const policies = catalog.policies.filter((row) => row.table === name)
    const faults = row_security ? [] : [`${name}: row-level security is off`]
    if (!forced) faults.push(`${name}: row-level security is not forced for its owner`)
    for (const [role, using] of Object.entries(wanted)) {
      const [only, second] = policies.filter((row) => row.roles.includes(role))
      const holds = only?.using === using && only.check === null && only.command === 'all' && only.roles.length === 1
      if (!holds || second) faults.push(`${name}: its only policy for ${role} must be ${using} for all commands`)
    }
    if (policies.length !== Object.keys(wanted).length) faults.push(`${name}: it has too many policies`)
    return faults
  })

/** The privileges that each role may have at most on each kind of table. */
const allowed: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  swath_app: { tenant: rowPrivileges, shared: rowPrivileges },
  swath_across: { tenant: rowPrivileges, shared: rowPrivileges, directory: rowPrivileges, machinery: ['select'] },
}

const grants: Rule = (catalog) =>
  catalog.grants.flatMap(({ table, role, privilege }) => {
    const most = allowed[role]?.[purposeOf(catalog, table) ?? ''] ?? []
    return most.includes(privilege) ? [] : [`${table}: ${role} has the privilege ${privilege}`]
  })

const rules: readonly Rule[] = [
  declared,
  organizationColumn,
  primaryKey,
  unique,
  foreign,
  noCounters,
  triggers,
  rowSecurity,
  grants,
]

/** The messages of all violated rules; empty for a valid schema. */
export const findSchemaFaults = (catalog: Catalog): string[] => rules.flatMap((rule) => rule(catalog))
