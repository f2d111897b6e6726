import { DatabaseFailure } from '../failures.ts'
import type { SchemaCatalog, PgCatalogTriggerRow } from '../schema/catalog.ts'

/** The replacement of a trigger whose table is distributed: distributed tables cannot have triggers. */
export type TriggerReplacement =
  /** The roles of the service may not change the rows. */
  | 'privileges'
  /** The statements of the program: they do not write the columns. */
  | 'store'
  /** Nothing: the trigger is unknown. */
  | 'none'

/** Replacements by the function of the trigger; the rules of the schema accept triggers with these functions, and no others. */
export const triggerReplacements: ReadonlyMap<string, TriggerReplacement> = new Map([
  ['refuse_change', 'privileges'],
  ['refuse_rewriting', 'store'],
])

/** A trigger that is dropped before its table is distributed. */
export interface DroppedDatabaseTrigger {
  readonly table: string
  readonly name: string
  /** The events of the trigger, such as `update`: also the names of privileges. */
  readonly events: readonly string[]
  readonly replacement: TriggerReplacement
}

/** The tables that are left to distribute. Those of other purposes stay on the coordinator. */
export interface TableDistributionPlan {
  /** Tables without tenant data, copied to each node. */
  readonly reference: readonly string[]
  /** Tenant tables, each after those that it references. */
  readonly tenant: readonly string[]
  readonly triggers: readonly DroppedDatabaseTrigger[]
  /** A tenant table that is distributed already, whose nodes the others share; null if there is none. */
  readonly colocated_with: string | null
}

/**
 * Plans the distribution of the tables that are not distributed yet. Throws `distribution-refused` if tenant tables reference each
 * other in a circle, or a table that is not distributed with them.
 */
export function planTableDistribution(catalog: SchemaCatalog, distributed: ReadonlySet<string>): TableDistributionPlan {
  const tablesOf = (purpose: string): string[] =>
    catalog.tables.filter((table) => table.purpose === purpose).map(({ name }) => name)
  const [tenant, shared] = [tablesOf('tenant'), tablesOf('shared')]
  const ordered = orderByReferences(tenant, listReferences(catalog, new Set(tenant)))
  const left = ordered.filter((table) => !distributed.has(table))
  return {
    reference: shared.filter((table) => !distributed.has(table)),
    tenant: left,
    triggers: catalog.triggers.filter(({ table }) => left.includes(table)).map(toDroppedDatabaseTrigger),
    colocated_with: ordered.find((table) => distributed.has(table)) ?? null,
  }
}

/** The events in the text of `pg_get_triggerdef`, such as `INSERT OR UPDATE OF name`. */
const readTriggerEvents = (definition: string): string => {
  const [, afterTiming = ''] = definition.split(/ (?:BEFORE|AFTER) /, 2)
  return afterTiming.split(' ON ', 1)[0] ?? ''
}

const toDroppedDatabaseTrigger = ({
  table,
  name,
  function: called,
  definition,
}: PgCatalogTriggerRow): DroppedDatabaseTrigger => ({
  table,
  name,
  events: readTriggerEvents(definition)
    .toLowerCase()
    .split(/ of [^ ]+| or /)
    .filter(Boolean),
  replacement: triggerReplacements.get(called) ?? 'none',
})

/** The tenant tables that each tenant table references, without itself. */
function listReferences({ constraints }: SchemaCatalog, tenant: ReadonlySet<string>): Map<string, Set<string>> {
  const references = new Map<string, Set<string>>()
  for (const { table, name, kind, target, columns } of constraints) {
    if (kind !== 'f' || target === null || !tenant.has(table)) continue
    // A key to a table of the coordinator, or to rows of another organization, cannot be kept.
    if (!tenant.has(target) || !columns.includes('organization_id'))
      throw databaseDistributionRefused(`the foreign key ${name} of ${table} cannot be distributed`)
    if (target !== table) references.set(table, (references.get(table) ?? new Set()).add(target))
  }
  return references
}

/** Orders tables depth-first, each after those that it references, else as in the list. */
function orderByReferences(tables: readonly string[], references: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const ordered = new Set<string>()
  const add = (table: string, path: readonly string[]): void => {
    if (ordered.has(table)) return
    if (path.includes(table))
      throw databaseDistributionRefused(`tables reference each other: ${[...path, table].join(', ')}`)
    for (const target of references.get(table) ?? []) add(target, [...path, table])
    ordered.add(table)
  }
  for (const table of tables) add(table, [])
  return [...ordered]
}

export const databaseDistributionRefused = (message: string): DatabaseFailure =>
  new DatabaseFailure('distribution-refused', message)
