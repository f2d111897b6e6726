import type { InsertStmt, Node } from 'libpg-query'
import type { StatementFinding } from './findings.ts'
import { functionName, listQueries, organizationColumn, toQuery, visitNodes, type Query } from './nodes.ts'
import { isValuesList, listFromItems, listTables } from './relations.ts'
import type { MigratedSchema } from './schema.ts'

/** The queries of the WITH clauses of a statement by name. */
export function listCtes(statement: Node): ReadonlyMap<string, Node> {
  const ctes = new Map<string, Node>()
  visitNodes(statement, (node) => {
    if ('CommonTableExpr' in node && node.CommonTableExpr.ctequery)
      ctes.set(node.CommonTableExpr.ctename ?? '', node.CommonTableExpr.ctequery)
  })
  return ctes
}

/** Rows that an INSERT into a tenant table takes from a function, such as `unnest` or `jsonb_to_recordset`. */
export function findSetFunctions(
  insert: InsertStmt,
  schema: MigratedSchema,
  ctes: ReadonlyMap<string, Node>,
): StatementFinding[] {
  if (!isTenantInsert(insert, schema) || !insert.selectStmt) return []
  const names = new Set<string>()
  for (const query of listReadQueries(insert.selectStmt, ctes, new Set())) {
    for (const { kind, item } of listFromItems(query).items) {
      if (kind === 'function') for (const name of listFunctionNames(item.functions)) names.add(name)
    }
  }
  return [...names].map((name) => ({
    kind: 'set-function',
    detail: `inserts rows of ${name} into ${insert.relation?.relname}`,
  }))
}

/** The queries of a tree and of the CTEs that it reads. */
function listReadQueries(tree: Node, ctes: ReadonlyMap<string, Node>, seen: Set<string>): Query[] {
  return listQueries(tree).flatMap((query) => [
    query,
    ...listTables(query).flatMap((name) => {
      const cte = seen.has(name) ? undefined : ctes.get(name)
      seen.add(name)
      return cte ? listReadQueries(cte, ctes, seen) : []
    }),
  ])
}

const isTenantInsert = ({ relation }: InsertStmt, { tenantTables }: MigratedSchema): boolean =>
  tenantTables.has(relation?.relname ?? '')

function listFunctionNames(functions: readonly Node[] | undefined): string[] {
  const names: string[] = []
  for (const node of functions ?? []) {
    const [call] = 'List' in node ? (node.List.items ?? []) : [node]
    if (call && 'FuncCall' in call) names.push(functionName(call.FuncCall))
  }
  return names
}

const hasSubquery = (tree: unknown): boolean => {
  let found = false
  visitNodes(tree, (node) => {
    if ('SubLink' in node) found = true
  })
  return found
}

/** Subqueries in the rows of an INSERT into a tenant table, in what it does on a conflict, or in RETURNING. */
export function findSubqueries({ kind, query }: Query, { tenantTables }: MigratedSchema): StatementFinding[] {
  if (kind === 'select' || !tenantTables.has(query.relation?.relname ?? '')) return []
  const places: string[] = []
  if (kind === 'insert') {
    if (hasSubquery(listRowExpressions(query))) places.push('in the inserted rows')
    if (hasSubquery(query.onConflictClause)) places.push('in ON CONFLICT DO UPDATE')
  }
  if (hasSubquery(query.returningClause)) places.push('in RETURNING')
  return places.map((place) => ({ kind: 'subquery', detail: `has a subquery ${place}` }))
}

/** The expressions of VALUES, or of a SELECT that reads no table. */
function listRowExpressions({ selectStmt }: InsertStmt): unknown {
  const query = toQuery(selectStmt)
  if (query?.kind !== 'select') return []
  if (isValuesList(query.query)) return query.query.valuesLists
  return (query.query.fromClause ?? []).length === 0 ? [query.query.targetList, query.query.whereClause] : []
}

/**
 * Tables that a statement inserts into before a table that they reference: the parts of a statement run one after another, in
 * the order in which they are written.
 */
export function findParentsAndChildren(statement: Node, { objects }: MigratedSchema): StatementFinding[] {
  const inserts = listQueries(statement).flatMap(({ kind, query }) =>
    kind === 'insert' ? [{ table: query.relation?.relname ?? '', at: query.relation?.location ?? 0 }] : [],
  )
  const listPositions = (name: string | null): number[] =>
    inserts.filter(({ table }) => table === name).map(({ at }) => at)
  return objects
    .filter(({ kind, isDeferred }) => kind === 'foreign key' && !isDeferred)
    .filter(({ table, target }) => table !== target)
    .filter(({ table, target }) => Math.min(...listPositions(table)) < Math.max(...listPositions(target)))
    .map(({ table, target }) => ({
      kind: 'parent-and-child',
      detail: `inserts into ${table} before it inserts into ${target}, which it references`,
    }))
}

/** Assignments to the organization of rows of a tenant table. */
export function findChangedOrganizations({ kind, query }: Query, { tenantTables }: MigratedSchema): StatementFinding[] {
  if (kind === 'select' || kind === 'delete' || !tenantTables.has(query.relation?.relname ?? '')) return []
  const assigned = kind === 'update' ? query.targetList : query.onConflictClause?.targetList
  return (assigned ?? []).some((node) => 'ResTarget' in node && node.ResTarget.name === organizationColumn)
    ? [{ kind: 'changed-organization', detail: `changes the organization of rows of ${query.relation?.relname}` }]
    : []
}
