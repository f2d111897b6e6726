import type { Node } from 'libpg-query'
import { isOrganization } from './organization.ts'
import { isValue, listConjuncts, listFromItems, nameTexts, relationName, withoutCasts, type Query } from './syntax.ts'

/**
 * The tenant tables that a query reads without limiting their rows to an organization: by a value, or by the column of rows
 * that are limited themselves. The rows that the query changes are not among them.
 */
export function listUnlimitedTables(query: Query, tenantTables: ReadonlySet<string>): string[] {
  const items = listFromItems(fromClauseOf(query))
  const unlimited = new Map(
    items.flatMap((item): [string, string][] => {
      const table = relationName(item) ?? ''
      return tenantTables.has(table) ? [[aliasOf(item), table]] : []
    }),
  )
  const equalities = listConditions(query).flatMap(toEqualities)
  const isLimited = (alias: string): boolean =>
    equalities.some(
      ([left, right]) => isOrganization(left, alias) && (isValue(right) || isLimitedColumn(right, unlimited)),
    )
  for (let size = -1; size !== unlimited.size;) {
    size = unlimited.size
    for (const alias of unlimited.keys()) if (isLimited(alias)) unlimited.delete(alias)
  }
  return [...unlimited.values()]
}

const fromClauseOf = ({ kind, query }: Query): readonly Node[] | undefined =>
  kind === 'insert' ? [] : kind === 'delete' ? query.usingClause : query.fromClause

const aliasOf = (item: Node): string =>
  'RangeVar' in item ? (item.RangeVar.alias?.aliasname ?? item.RangeVar.relname ?? '') : ''

/** Says whether an expression is the organization of rows of an outer query, or of an item that is limited. */
const isLimitedColumn = (expression: Node | undefined, unlimited: ReadonlyMap<string, string>): boolean => {
  const inner = withoutCasts(expression)
  const names = inner && 'ColumnRef' in inner ? nameTexts(inner.ColumnRef.fields) : []
  return isOrganization(inner, null) && names.length > 1 && !unlimited.has(names.at(-2)!)
}

/** The conditions of a query on its rows, with those of its joins. */
const listConditions = (query: Query): Node[] => [
  ...(query.kind === 'insert' ? [] : listConjuncts(query.query.whereClause)),
  ...(fromClauseOf(query) ?? []).flatMap(listJoinConditions),
]

const listJoinConditions = (item: Node | undefined): Node[] => {
  if (!item || !('JoinExpr' in item)) return []
  const { larg, rarg, quals } = item.JoinExpr
  return [...listConjuncts(quals), ...listJoinConditions(larg), ...listJoinConditions(rarg)]
}

/** The sides of `=`, in both orders. */
const toEqualities = (condition: Node): [Node | undefined, Node | undefined][] => {
  if (!('A_Expr' in condition) || condition.A_Expr.kind !== 'AEXPR_OP') return []
  const { name, lexpr, rexpr } = condition.A_Expr
  return nameTexts(name).at(-1) === '='
    ? [
        [lexpr, rexpr],
        [rexpr, lexpr],
      ]
    : []
}
