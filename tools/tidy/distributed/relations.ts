import type { JoinExpr, Node, RangeFunction, RangeSubselect, RangeVar, SelectStmt } from 'libpg-query'
import type { Query } from './nodes.ts'

/** One item of a FROM clause. */
export type FromItem =
  | { readonly kind: 'table'; readonly item: RangeVar }
  | { readonly kind: 'subquery'; readonly item: RangeSubselect }
  | { readonly kind: 'function'; readonly item: RangeFunction }

/** A join with the names of what it joins on each side. */
export interface Join {
  readonly join: JoinExpr
  readonly left: readonly string[]
  readonly right: readonly string[]
}

/** The FROM clause of a query as a list, with its joins. The target of an UPDATE or DELETE is its first item. */
export function listFromItems({ kind, query }: Query): { items: FromItem[]; joins: Join[] } {
  const target: Node[] =
    (kind === 'update' || kind === 'delete') && query.relation ? [{ RangeVar: query.relation }] : []
  const others = kind === 'delete' ? query.usingClause : kind === 'insert' ? [] : query.fromClause
  const found = { items: [] as FromItem[], joins: [] as Join[] }
  for (const node of [...target, ...(others ?? [])]) collect(node, found)
  return found
}

/** The name by which a query refers to an item; empty if it has none. */
export const aliasOf = ({ kind, item }: FromItem): string =>
  item.alias?.aliasname ?? (kind === 'table' ? (item.relname ?? '') : '')

function collect(node: Node, found: { items: FromItem[]; joins: Join[] }): string[] {
  if ('JoinExpr' in node) {
    const { larg, rarg } = node.JoinExpr
    const left = larg ? collect(larg, found) : []
    const right = rarg ? collect(rarg, found) : []
    found.joins.push({ join: node.JoinExpr, left, right })
    return [...left, ...right]
  }
  const item = toItem(node)
  if (!item) return []
  found.items.push(item)
  return [aliasOf(item)]
}

function toItem(node: Node): FromItem | null {
  if ('RangeVar' in node) return { kind: 'table', item: node.RangeVar }
  if ('RangeSubselect' in node) return { kind: 'subquery', item: node.RangeSubselect }
  return 'RangeFunction' in node ? { kind: 'function', item: node.RangeFunction } : null
}

/** The names of the tables (or CTEs) that a query reads or changes itself, not those of its subqueries. */
export function listTables(query: Query): string[] {
  const tables = listFromItems(query).items.flatMap(({ kind, item }) => (kind === 'table' ? [item.relname ?? ''] : []))
  return query.kind === 'insert' ? [query.query.relation?.relname ?? '', ...tables] : tables
}

/** All names of tables in a tree of any kind. */
export function listRelationNames(tree: unknown): string[] {
  if (typeof tree !== 'object' || tree === null) return []
  const own = 'relname' in tree && typeof tree.relname === 'string' ? [tree.relname] : []
  return [...own, ...Object.values(tree).flatMap(listRelationNames)]
}

/** Whether a query is a list of VALUES. */
export const isValuesList = (select: SelectStmt): boolean => (select.valuesLists ?? []).length > 0
