import { triggerReplacements } from '../../../packages/server/src/platform/database/distribution/plan.ts'
import type { LocatedFinding } from './listed-findings.ts'
import { organizationColumn } from './nodes.ts'
import type { MigratedSchema, SchemaObject } from './schema.ts'

/** The constraints, indexes, triggers and numbered columns of tenant tables that a distributed engine refuses. */
export const findSchemaObjects = ({ objects, tenantTables }: MigratedSchema): LocatedFinding[] =>
  objects
    .filter(({ table }) => tenantTables.has(table))
    .flatMap((object) => {
      const found = checkObject(object)
      return found ? [{ file: object.file, line: null, name: object.name, ...found }] : []
    })

function checkObject({ kind, table, columns, target }: SchemaObject): Pick<LocatedFinding, 'kind' | 'detail'> | null {
  // Those that only refuse changes are dropped where the table is distributed, because something else refuses them, too.
  if (kind === 'trigger' && triggerReplacements.has(target ?? '')) return null
  if (kind === 'trigger') return { kind: 'trigger', detail: `is a trigger on the tenant table ${table}` }
  if (kind === 'sequence')
    return { kind: 'sequence', detail: `numbers the rows of the tenant table ${table} by a sequence` }
  if (columns.includes(organizationColumn)) return null
  const noun = kind === 'unique' || kind === 'exclusion' ? `${kind} constraint or index` : kind
  return { kind: 'key', detail: `is a ${noun} of the tenant table ${table} without ${organizationColumn}` }
}
