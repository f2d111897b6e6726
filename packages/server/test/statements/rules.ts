import type { InsertStmt, Node, SelectStmt } from 'libpg-query'
import type { CollectedStatement } from './collect-statements.ts'
import { listMutable } from './mutable-expressions.ts'
import { isLimited, isOrganization, organizationColumn } from './organization.ts'
import type { SchemaFacts } from './schema-facts.ts'
import {
  hasSubquery,
  isValue,
  listFromItems,
  listNodes,
  listQueries,
  listTargets,
  relationName,
  toQuery,
  type Change,
  type Query,
} from './syntax.ts'
import { listUnlimitedTables } from './unlimited-tables.ts'

/** A statement with the parts that the rules examine. */
export interface ParsedStatement {
  readonly role: CollectedStatement['role']
  readonly tree: Node
  readonly nodes: readonly Node[]
  readonly queries: readonly Query[]
  /** The changes of rows of tenant tables. */
  readonly changes: readonly Change[]
}

/** Something that an engine refuses whose tenant tables are distributed by organization. */
export interface StatementRule {
  readonly name: string
  readonly reason: string
  /** Finds the violations of the rule in a statement. */
  find(statement: ParsedStatement, facts: SchemaFacts): string[]
}

export const tableOf = ({ query }: Change): string => query.relation?.relname ?? ''

/** The parts of a statement. */
export function toParsedStatement(
  tree: Node,
  { tenantTables }: SchemaFacts,
  role: ParsedStatement['role'] = 'app',
): ParsedStatement {
  const nodes = listNodes(tree)
  const queries = listQueries(nodes)
  const changes = queries.filter(
    (query): query is Change => query.kind !== 'select' && tenantTables.has(tableOf(query)),
  )
  return { role, tree, nodes, queries, changes }
}

const emptySelectList: StatementRule = {
  name: 'empty-select-list',
  reason: 'a part of a statement that is planned by itself must have a column: select 1',
  find: ({ queries }) => {
    const isEmpty = ({ kind, query }: Query): boolean =>
      kind === 'select' && !query.targetList && !query.valuesLists && !query.larg
    return queries.some(isEmpty) ? ['selects no column'] : []
  },
}

const knownKind: StatementRule = {
  name: 'known-kind',
  reason: 'MERGE, TRUNCATE and others need rules of their own before they are used',
  find: ({ tree, nodes }, { tenantTables }) => {
    const changed = nodes.find((node) => tenantTables.has(relationName(node) ?? ''))
    return toQuery(tree) || !changed ? [] : [`is a ${Object.keys(tree)[0]} of ${relationName(changed)}`]
  },
}

const insertInWith: StatementRule = {
  name: 'insert-in-with',
  reason:
    'an INSERT in a WITH clause runs by itself, in the order of the clause, and its rows are read by queries of nothing else',
  find: ({ nodes, queries, changes }, { tenantTables, references }) => {
    const inserting = nodes.flatMap((node) => {
      if (!('CommonTableExpr' in node)) return []
      const query = toQuery(node.CommonTableExpr.ctequery)
      return query?.kind === 'insert' && tenantTables.has(tableOf(query)) ? [node.CommonTableExpr.ctename ?? ''] : []
    })
    const positions = (table: string): number[] =>
      changes.flatMap((change) =>
        change.kind === 'insert' && tableOf(change) === table ? [change.query.relation?.location ?? 0] : [],
      )
    return [
      ...inserting
        .filter((name) => queries.some((query) => combinesRows(query, name)))
        .map((name) => `combines the rows that ${name} inserts with others`),
      ...references
        .filter(({ table, target }) => Math.min(...positions(table)) < Math.max(...positions(target)))
        .map(({ table, target }) => `inserts into ${table} before it inserts into ${target}, which it references`),
    ]
  },
}

/** Says whether a query reads the rows of a WITH clause, and others. */
function combinesRows({ kind, query }: Query, name: string): boolean {
  const clause = kind === 'delete' ? query.usingClause : kind === 'insert' ? [] : query.fromClause
  const items = listFromItems(clause)
  const { withClause: _, ...parts } = query
  return (
    items.some((item) => relationName(item) === name) && (kind !== 'select' || items.length > 1 || hasSubquery(parts))
  )
}

const insertedRows: StatementRule = {
  name: 'inserted-rows',
  reason:
    'rows are inserted as a list of VALUES, or selected from tenant tables, and what is returned is of the rows themselves',
  find: ({ changes }, facts) =>
    changes.flatMap((change) => [
      ...(hasSubquery(change.query.returningClause) ? [`has a subquery in RETURNING of ${tableOf(change)}`] : []),
      ...(change.kind === 'insert' ? findInsertedQueries(change.query, facts) : []),
    ]),
}

function findInsertedQueries({ relation, selectStmt, onConflictClause }: InsertStmt, facts: SchemaFacts): string[] {
  const rows = toQuery(selectStmt)
  const found =
    rows?.kind === 'select' && isInsertable(rows.query, facts) ? [] : ['inserts rows of a query or function']
  if (hasSubquery(onConflictClause)) found.push('has a subquery in ON CONFLICT')
  return found.map((what) => `${what} into ${relation?.relname}`)
}

const isInsertable = ({ valuesLists, fromClause, larg }: SelectStmt, { tenantTables }: SchemaFacts): boolean => {
  const items = listFromItems(fromClause)
  const areTables = items.length > 0 && items.every((item) => tenantTables.has(relationName(item) ?? ''))
  return valuesLists ? !hasSubquery(valuesLists) : !larg && areTables
}

const namedOrganization: StatementRule = {
  name: 'organization',
  reason: 'rows that are changed or locked are those of one organization, which is named by a value, and stay there',
  find: ({ queries, changes }, { tenantTables }) => [
    ...changes
      .filter((change) => !namesOrganization(change))
      .map((change) => `changes rows of ${tableOf(change)} of any organization`),
    ...changes.filter(movesRows).map((change) => `changes the organization of rows of ${tableOf(change)}`),
    ...queries.flatMap(({ kind, query }) => {
      if (kind !== 'select' || !query.lockingClause || isLimited(query.whereClause, null)) return []
      const table = listFromItems(query.fromClause).find((item) => tenantTables.has(relationName(item) ?? ''))
      return table ? [`locks rows of ${relationName(table)} of any organization`] : []
    }),
  ],
}

const readOrganization: StatementRule = {
  name: 'read-organization',
  reason:
    'no policy limits the role across organizations: with rows that it changes or locks, it reads those of their organization only',
  find: ({ role, queries, changes }, { tenantTables }) => {
    const isRead = changes.length === 0 && !queries.some(({ kind, query }) => kind === 'select' && query.lockingClause)
    if (role !== 'across' || isRead) return []
    const tables = new Set(queries.flatMap((query) => listUnlimitedTables(query, tenantTables)))
    return [...tables].map((table) => `reads rows of ${table} of any organization`)
  },
}

const movesRows = (change: Change): boolean =>
  change.kind !== 'delete' &&
  listTargets(change.kind === 'update' ? change.query.targetList : change.query.onConflictClause?.targetList).includes(
    organizationColumn,
  )

/** Says whether the rows that are changed are those of an organization that is a value. */
function namesOrganization({ kind, query }: Change): boolean {
  const { relation } = query
  if (kind !== 'insert') return isLimited(query.whereClause, relation?.alias?.aliasname ?? relation?.relname ?? '')
  const position = listTargets(query.cols).indexOf(organizationColumn)
  const rows = toQuery(query.selectStmt)
  if (position < 0 || rows?.kind !== 'select') return false
  const { valuesLists, targetList = [], whereClause } = rows.query
  if (valuesLists) return valuesLists.every((row) => 'List' in row && isValue(row.List.items?.[position]))
  const selected = targetList[position]
  const value = selected && 'ResTarget' in selected ? selected.ResTarget.val : undefined
  return isValue(value) || (isOrganization(value, null) && isLimited(whereClause, null))
}

const mutableExpression: StatementRule = {
  name: 'mutable-expression',
  reason:
    'what is assigned is computed by immutable functions, or in an UPDATE by stable ones of values alone, once for all nodes',
  find: ({ changes }, facts) =>
    changes.flatMap((change) => {
      const table = tableOf(change)
      const conflict = change.kind === 'insert' ? change.query.onConflictClause : undefined
      const assigned = (change.kind === 'update' ? change.query.targetList : conflict?.targetList) ?? []
      const condition = change.kind === 'insert' ? undefined : change.query.whereClause
      const isComputedOnce = (expression: Node): boolean => change.kind === 'update' && !dependsOnRow(expression)
      return [
        ...[...assigned, conflict?.whereClause]
          .flatMap((expression) =>
            expression ? listMutable(expression, facts, isComputedOnce(expression) ? 'volatile' : 'stable') : [],
          )
          .map((what) => `assigns what depends on ${what} to ${table}`),
        ...listMutable(condition, facts, 'volatile').map((what) => `changes rows of ${table} by ${what}`),
      ]
    }),
}

const dependsOnRow = (expression: Node): boolean =>
  listNodes(expression).some((node) => 'ColumnRef' in node || 'CaseExpr' in node || 'CoalesceExpr' in node)

/** Each has statements in `rules.test.ts` that it refuses, and some that it accepts. */
export const statementRules: readonly StatementRule[] = [
  emptySelectList,
  knownKind,
  insertInWith,
  insertedRows,
  namedOrganization,
  readOrganization,
  mutableExpression,
]
