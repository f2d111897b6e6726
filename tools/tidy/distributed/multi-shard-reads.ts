import type { Node, SelectStmt } from 'libpg-query'
import {
  columnName,
  functionName,
  listQueries,
  organizationColumn,
  toQuery,
  visitNodes,
  withoutCasts,
} from './nodes.ts'
import { findUnboundTables } from './organization.ts'
import { aliasOf, listFromItems, type FromItem } from './relations.ts'
import type { MigratedSchema } from './schema.ts'

/** Functions of PostgreSQL that compute one value of many rows, from `pg_aggregate`. Add what a statement needs. */
const aggregates: ReadonlySet<string> = new Set([
  'array_agg',
  'avg',
  'bool_and',
  'bool_or',
  'count',
  'every',
  'json_agg',
  'jsonb_agg',
  'jsonb_object_agg',
  'max',
  'min',
  'string_agg',
  'sum',
])

/**
 * Whether a statement for all organizations is one that each node runs on its own rows, so that the coordinator only merges,
 * sorts, counts and limits their results:
 *
 * - it changes and locks nothing, and has no WITH clause;
 * - it reads tenant tables only, and all of them would be limited to one organization if the first one was: they are joined by it;
 * - no query within it needs rows of several nodes: limits, aggregates, DISTINCT and GROUP BY are those of the statement itself;
 * - it has no window functions, for which all rows would be sent to the coordinator.
 */
export function isMultiShardRead(statement: Node, schema: MigratedSchema): boolean {
  const select = toSelect(statement)
  if (!select || !listQueries(statement).every(({ kind, query }) => kind === 'select' && onlyReads(query))) return false
  if (calls(statement, ({ over }) => over !== undefined) || !isRunByEachNode(select, schema)) return false
  return findUnboundTables({ SelectStmt: limitFirstTable(select) }, schema).length === 0
}

const toSelect = (node: Node | undefined): SelectStmt | null => {
  const query = toQuery(node)
  return query?.kind === 'select' ? query.query : null
}

const onlyReads = ({ withClause, lockingClause = [], intoClause }: SelectStmt): boolean =>
  !withClause && !intoClause && lockingClause.length === 0

type FunctionCall = Extract<Node, { FuncCall: unknown }>['FuncCall']

function calls(tree: unknown, is: (call: FunctionCall) => boolean, into = true): boolean {
  let isFound = false
  visitNodes(
    tree,
    (node) => {
      if ('FuncCall' in node && is(node.FuncCall)) isFound = true
    },
    into,
  )
  return isFound
}

const isAggregate = (call: FunctionCall): boolean => call.agg_star === true || aggregates.has(functionName(call))

/** Whether the result of a query depends on rows of several nodes. */
const mergesRows = (select: SelectStmt): boolean =>
  [select.limitCount, select.limitOffset, select.havingClause].some((clause) => clause !== undefined) ||
  [select.distinctClause, select.groupClause].some((clause) => (clause ?? []).length > 0) ||
  calls(select.targetList, isAggregate, false)

const itemsOf = (select: SelectStmt): FromItem[] => listFromItems({ kind: 'select', query: select }).items

/** The query that a query reads, if it reads nothing else. */
function onlySubquery(select: SelectStmt): SelectStmt | null {
  const [item, ...others] = itemsOf(select)
  return item?.kind === 'subquery' && others.length === 0 ? toSelect(item.item.subquery) : null
}

function isRunByEachNode(select: SelectStmt, schema: MigratedSchema): boolean {
  if (select.larg && select.rarg) {
    const arms = [select.larg, select.rarg]
    return isUnionByOrganization(select) && arms.every((arm) => !mergesRows(arm) && isRunByEachNode(arm, schema))
  }
  const inner = onlySubquery(select)
  const subqueries = listSubqueries(select)
  if (inner) return subqueries.length === 0 && !mergesRows(inner) && isRunByEachNode(inner, schema)
  const isTenantTable = (item: FromItem): boolean =>
    item.kind === 'table' && schema.tenantTables.has(item.item.relname ?? '')
  const isRead = (query: SelectStmt): boolean => {
    const items = itemsOf(query)
    // A function alone gives the same rows on each node.
    const isKnown = items.every(isTenantTable) || (items.length === 1 && items[0]!.kind === 'function')
    return isKnown && !query.larg && !mergesRows(query) && listSubqueries(query).every(isRead)
  }
  return itemsOf(select).every(isTenantTable) && subqueries.every(isRead)
}

/** The queries in the expressions of a query. */
function listSubqueries(select: SelectStmt): SelectStmt[] {
  const subqueries: SelectStmt[] = []
  visitNodes(
    { ...select, larg: undefined, rarg: undefined },
    (node) => {
      const subquery = 'SubLink' in node ? toSelect(node.SubLink.subselect) : null
      if (subquery) subqueries.push(subquery)
    },
    false,
  )
  return subqueries
}

/** Whether a query is a UNION ALL whose parts have the organization in the same column. */
const isUnionByOrganization = (select: SelectStmt): boolean =>
  select.op === 'SETOP_UNION' && select.all === true && organizationPosition(select) >= 0

function organizationPosition({ larg, rarg, targetList = [] }: SelectStmt): number {
  if (larg && rarg) {
    const position = organizationPosition(larg)
    return position === organizationPosition(rarg) ? position : -1
  }
  return targetList.findIndex((node) => {
    const value = 'ResTarget' in node ? withoutCasts(node.ResTarget.val) : undefined
    return value !== undefined && 'ColumnRef' in value && columnName(value.ColumnRef).column === organizationColumn
  })
}

/** The query with the first table that it reads limited to one organization, in each part of a UNION. */
function limitFirstTable(select: SelectStmt): SelectStmt {
  if (select.larg && select.rarg)
    return { ...select, larg: limitFirstTable(select.larg), rarg: limitFirstTable(select.rarg) }
  const inner = onlySubquery(select)
  const [item] = itemsOf(select)
  if (inner && item?.kind === 'subquery') {
    const subquery = { ...item.item, subquery: { SelectStmt: limitFirstTable(inner) } }
    return { ...select, fromClause: [{ RangeSubselect: subquery }] }
  }
  if (!item) return select
  const isLimited = equalsParameter(aliasOf(item))
  const args = select.whereClause ? [isLimited, select.whereClause] : [isLimited]
  return { ...select, whereClause: { BoolExpr: { boolop: 'AND_EXPR', args } } }
}

const toName = (sval: string): Node => ({ String: { sval } })

const equalsParameter = (alias: string): Node => ({
  A_Expr: {
    kind: 'AEXPR_OP',
    name: [toName('=')],
    lexpr: { ColumnRef: { fields: [toName(alias), toName(organizationColumn)] } },
    rexpr: { ParamRef: { number: 1 } },
  },
})
