import type { InsertStmt, Node } from 'libpg-query'
import type { StatementFinding } from './findings.ts'
import { findConflictFunctions, findVolatileFunctions } from './functions.ts'
import {
  findChangedOrganizations,
  findParentsAndChildren,
  findSetFunctions,
  findSubqueries,
  listCtes,
} from './inserts.ts'
import { listQueries, type Query } from './nodes.ts'
import { findUnboundTables } from './organization.ts'
import { listRelationNames, listTables } from './relations.ts'
import type { MigratedSchema } from './schema.ts'

/** Everything in a statement that a distributed engine refuses or cannot run on one node. */
export function checkStatement(statement: Node, schema: MigratedSchema): StatementFinding[] {
  const queries = listQueries(statement)
  if (queries.length === 0) return findOtherStatements(statement, schema)
  // Tables that are not distributed are on the coordinator, where everything is allowed.
  if (!queries.some((query) => listTables(query).some((table) => schema.tenantTables.has(table)))) return []
  const ctes = listCtes(statement)
  return [
    ...findUnboundTables(statement, schema),
    ...queries.flatMap((query) => checkQuery(query, schema)),
    ...queries.flatMap(({ kind, query }) => (kind === 'insert' ? checkInsert(query, schema, ctes) : [])),
    ...findParentsAndChildren(statement, schema),
  ]
}

/** MERGE, TRUNCATE and others have no rules yet: the first one on a tenant table needs them. */
function findOtherStatements(statement: Node, { tenantTables }: MigratedSchema): StatementFinding[] {
  const [kind = ''] = Object.keys(statement)
  return listRelationNames(statement).some((name) => tenantTables.has(name))
    ? [{ kind: 'unread', detail: `is a ${kind}, for which there are no rules` }]
    : []
}

const checkQuery = (query: Query, schema: MigratedSchema): StatementFinding[] => [
  ...findVolatileFunctions(query, schema),
  ...findSubqueries(query, schema),
  ...findChangedOrganizations(query, schema),
]

const checkInsert = (
  insert: InsertStmt,
  schema: MigratedSchema,
  ctes: ReadonlyMap<string, Node>,
): StatementFinding[] => [...findConflictFunctions(insert, schema), ...findSetFunctions(insert, schema, ctes)]
