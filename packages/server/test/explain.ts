import type { SqlStatementRunner } from '../src/platform/database/database.ts'
import { sql } from '../src/platform/database/sql.ts'
import type { Sql } from '../src/platform/database/sql.ts'

/** One node of a query plan, as named by `explain (format json)`. */
export interface PlanNode {
  /** `Index Scan`, `Bitmap Index Scan`, `Seq Scan`, `Sort` … */
  readonly type: string
  readonly relation: string | null
  readonly index: string | null
  /** The condition answered by the index, and the one checked row by row. */
  readonly index_condition: string | null
  readonly filter: string | null
}

interface RawNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Index Cond'?: string
  readonly Filter?: string
  readonly Plans?: readonly RawNode[]
}

const flatten = (node: RawNode): PlanNode[] => [
  {
    type: node['Node Type'],
    relation: node['Relation Name'] ?? null,
    index: node['Index Name'] ?? null,
    index_condition: node['Index Cond'] ?? null,
    filter: node.Filter ?? null,
  },
  ...(node.Plans ?? []).flatMap(flatten),
]

/**
 * The plan of a statement as this connection would run it (row-level security included), its nodes in one list. Fill the table
 * and run `analyze` first, or the planner will choose a sequential scan of a small table.
 */
export async function explainStatement(database: SqlStatementRunner, statement: Sql): Promise<PlanNode[]> {
  const [row] = await database.query<{ 'QUERY PLAN': readonly { Plan: RawNode }[] }>(
    sql`explain (format json) ${statement}`,
  )
  return (row?.['QUERY PLAN'] ?? []).flatMap((plan) => flatten(plan.Plan))
}
