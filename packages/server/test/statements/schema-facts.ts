import type { SqlStatementRunner } from '../../src/platform/database/database.ts'
import { sql } from '../../src/platform/database/sql.ts'

/** The properties of the migrated schema that the rules use. */
export interface SchemaFacts {
  /** Distributed by the organization of their rows. */
  readonly tenantTables: ReadonlySet<string>
  /** Foreign keys between them that are checked at once. */
  readonly references: readonly { readonly table: string; readonly target: string }[]
  /** The functions that are not immutable, of PostgreSQL and of the schema, by name. */
  readonly mutableFunctions: ReadonlyMap<string, readonly MutableFunction[]>
}

interface MutableFunction {
  readonly name: string
  readonly is_volatile: boolean
  readonly min_arguments: number
  /** Null: any number. */
  readonly max_arguments: number | null
}

export async function readSchemaFacts(db: SqlStatementRunner): Promise<SchemaFacts> {
  const tables = await db.query<{ name: string }>(sql`
    select c.relname::text as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and obj_description(c.oid, 'pg_class') = 'tenant'`)
  const references = await db.query<SchemaFacts['references'][number]>(sql`
    select f.relname::text as table, t.relname::text as target
    from pg_constraint k join pg_class f on f.oid = k.conrelid join pg_class t on t.oid = k.confrelid
    where k.contype = 'f' and not k.condeferred and f.oid <> t.oid`)
  const functions = await db.query<MutableFunction>(sql`
    select distinct proname::text as name, provolatile = 'v' as is_volatile, pronargs - pronargdefaults as min_arguments,
      case when provariadic = 0 then pronargs end as max_arguments
    from pg_proc where provolatile <> 'i'`)
  return {
    tenantTables: new Set(tables.map(({ name }) => name)),
    references,
    mutableFunctions: Map.groupBy(functions, ({ name }) => name),
  }
}
