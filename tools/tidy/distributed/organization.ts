import type { CommonTableExpr, InsertStmt, Node, SelectStmt, WithClause } from 'libpg-query'
import type { StatementFinding } from './findings.ts'
import {
  columnName,
  listConjuncts,
  listEqualities,
  nameTexts,
  organizationColumn,
  toQuery,
  visitNodes,
  withoutCasts,
  type Query,
} from './nodes.ts'
import { aliasOf, isValuesList, listFromItems, type FromItem, type Join } from './relations.ts'
import type { MigratedSchema } from './schema.ts'

/** A column of the result of a query: whether its value is the organization that the statement names. */
interface ResultColumn {
  readonly name: string | null
  readonly isBound: boolean
}

/** An item of a FROM clause: whether it has the column of the organization, and whether that is limited to one. */
interface Relation {
  readonly alias: string
  /** The name of a tenant table; null for anything else. */
  readonly tenantTable: string | null
  readonly hasOrganization: boolean
  isBound: boolean
}

interface Level {
  readonly parent: Level | null
  readonly relations: Relation[]
  readonly ctes: Map<string, readonly ResultColumn[]>
}

/** A relation that is bound if the source is: a value, or another relation. */
interface Edge {
  readonly target: Relation
  readonly source: Relation | 'value'
}

/** Tenant tables of a statement that no equality limits to one organization, in all of its queries. */
export function findUnboundTables(statement: Node, schema: MigratedSchema): StatementFinding[] {
  const check = new OrganizationCheck(schema)
  const query = toQuery(statement)
  if (query) check.readQuery(query, null)
  return check.findings
}

class OrganizationCheck {
  readonly findings: StatementFinding[] = []
  private readonly schema: MigratedSchema

  constructor(schema: MigratedSchema) {
    this.schema = schema
  }

  readQuery(query: Query, parent: Level | null): ResultColumn[] {
    const level: Level = { parent, relations: [], ctes: new Map() }
    this.readCtes(query.query.withClause, level)
    if (query.kind === 'insert') return this.readInsert(query.query, level)
    if (query.kind === 'select' && query.query.larg && query.query.rarg)
      return this.readSetOperation(query.query, level)
    const { items, joins } = listFromItems(query)
    for (const item of items) level.relations.push(this.readItem(item, level))
    const edges = [...joins.flatMap((join) => listJoinEdges(join, level)), ...listWhereEdges(query, level)]
    bindRelations(edges)
    for (const relation of level.relations) if (isUnboundTenant(relation)) this.reportUnbound(relation, level, edges)
    if (query.kind === 'select' && hasSkipLocked(query.query) && level.relations.some(isUnboundTenant))
      this.report('skip-locked', 'FOR UPDATE SKIP LOCKED locks rows of several organizations')
    const { withClause: _read, ...rest } = query.query
    this.readSubqueries(rest, level)
    return readResultColumns(query, level)
  }

  private report(kind: StatementFinding['kind'], detail: string): void {
    this.findings.push({ kind, detail })
  }

  private reportUnbound(relation: Relation, level: Level, edges: readonly Edge[]): void {
    const isAlone = level.relations.every((other) => other === relation || !other.hasOrganization)
    const isJoined = edges.some(
      ({ target, source }) => source !== 'value' && (target === relation || source === relation),
    )
    if (isAlone || isJoined)
      this.report('organization', `the table ${relation.tenantTable} is not limited to one organization`)
    else this.report('join', `the table ${relation.tenantTable} is joined without its organization`)
  }

  private readCtes(withClause: WithClause | undefined, level: Level): void {
    for (const node of withClause?.ctes ?? []) {
      if (!('CommonTableExpr' in node)) continue
      const { ctename = '' } = node.CommonTableExpr
      // A recursive CTE reads what its first part found.
      if (withClause?.recursive) level.ctes.set(ctename, [{ name: organizationColumn, isBound: true }])
      level.ctes.set(ctename, this.readCte(node.CommonTableExpr, level))
    }
  }

  private readCte({ ctequery, aliascolnames }: CommonTableExpr, level: Level): ResultColumn[] {
    const query = toQuery(ctequery)
    const columns = query ? this.readQuery(query, level) : []
    return renameColumns(columns, nameTexts(aliascolnames))
  }

  private readSetOperation({ larg, rarg }: SelectStmt, level: Level): ResultColumn[] {
    const left = this.readQuery({ kind: 'select', query: larg! }, level)
    const right = this.readQuery({ kind: 'select', query: rarg! }, level)
    return left.map(({ name, isBound }, index) => ({ name, isBound: isBound && (right[index]?.isBound ?? false) }))
  }

  private readItem(item: FromItem, level: Level): Relation {
    const alias = aliasOf(item)
    const relation = (columns: readonly ResultColumn[]): Relation => {
      const found = columns.find(({ name }) => name === organizationColumn)
      return { alias, tenantTable: null, hasOrganization: found !== undefined, isBound: found?.isBound ?? false }
    }
    if (item.kind === 'function') {
      return relation(nameTexts(item.item.alias?.colnames).map((name) => ({ name, isBound: false })))
    }
    if (item.kind === 'subquery') {
      const query = toQuery(item.item.subquery)
      const columns = query ? this.readQuery(query, level) : []
      return relation(renameColumns(columns, nameTexts(item.item.alias?.colnames)))
    }
    const { relname = '', schemaname } = item.item
    const cte = schemaname === undefined ? findCte(level, relname) : null
    if (cte) return relation(cte)
    const isOwn = schemaname === undefined || schemaname === 'public'
    return {
      alias,
      tenantTable: isOwn && this.schema.tenantTables.has(relname) ? relname : null,
      hasOrganization: isOwn && this.schema.organizationTables.has(relname),
      isBound: false,
    }
  }

  /** The queries in the expressions of a query; those in its FROM clause have been read. */
  private readSubqueries(expressions: unknown, level: Level): void {
    visitNodes(
      expressions,
      (node) => {
        const query = 'SubLink' in node ? toQuery(node.SubLink.subselect) : null
        if (query) this.readQuery(query, level)
      },
      false,
    )
  }

  private readInsert(insert: InsertStmt, level: Level): ResultColumn[] {
    const { relation, cols = [], selectStmt, withClause: _read, ...rest } = insert
    const table = relation?.relname ?? ''
    const names = cols.map((node) => ('ResTarget' in node ? node.ResTarget.name : undefined))
    const rows = selectStmt ? this.readRows(selectStmt, level) : []
    const index = names.indexOf(organizationColumn)
    if (this.schema.tenantTables.has(table) && !rows.every((row) => row[index]?.isBound))
      this.report('organization', `the organization of the rows inserted into ${table} is not a parameter`)
    this.readSubqueries(rest, level)
    return [{ name: organizationColumn, isBound: true }]
  }

  private readRows(statement: Node, level: Level): ResultColumn[][] {
    const query = toQuery(statement)
    if (query?.kind !== 'select' || !isValuesList(query.query)) return query ? [this.readQuery(query, level)] : []
    this.readSubqueries(query.query, level)
    return (query.query.valuesLists ?? []).map((row) =>
      'List' in row ? (row.List.items ?? []).map((value) => ({ name: null, isBound: isBoundValue(value, level) })) : [],
    )
  }
}

const isUnboundTenant = ({ tenantTable, isBound }: Relation): boolean => tenantTable !== null && !isBound

const hasSkipLocked = ({ lockingClause = [] }: SelectStmt): boolean =>
  lockingClause.some((node) => 'LockingClause' in node && node.LockingClause.waitPolicy === 'LockWaitSkip')

const renameColumns = (columns: readonly ResultColumn[], names: readonly string[]): ResultColumn[] =>
  columns.map((column, index) => (names[index] === undefined ? column : { ...column, name: names[index] }))

function findCte(level: Level, name: string): readonly ResultColumn[] | null {
  for (let at: Level | null = level; at; at = at.parent) {
    const found = at.ctes.get(name)
    if (found) return found
  }
  return null
}

/**
 * The relation whose organization a column is; undefined for other columns. A table that no level has is that of a statement
 * that the fragment is part of, which is limited there.
 */
function findRelation(node: Node | undefined, level: Level): Relation | 'elsewhere' | undefined {
  const inner = withoutCasts(node)
  if (!inner || !('ColumnRef' in inner)) return undefined
  const { table, column } = columnName(inner.ColumnRef)
  if (column !== organizationColumn) return undefined
  for (let at: Level | null = level; at; at = at.parent) {
    const named = at.relations.filter((relation) =>
      table === null ? relation.hasOrganization : relation.alias === table,
    )
    if (named[0]) return named[0]
  }
  return 'elsewhere'
}

/** Whether an expression has the organization of the statement: a parameter, a constant, or a column limited to it. */
function isBoundValue(node: Node | undefined, level: Level): boolean {
  const inner = withoutCasts(node)
  if (!inner) return false
  if ('ParamRef' in inner || ('A_Const' in inner && !inner.A_Const.isnull)) return true
  const relation = findRelation(inner, level)
  return relation === 'elsewhere' || (relation?.isBound ?? false)
}

/** The edge that `target = source` makes for the target; empty if it makes none. */
function toEdge(target: Node, source: Node, level: Level): Edge[] {
  const bound = findRelation(target, level)
  if (!bound || bound === 'elsewhere' || !level.relations.includes(bound)) return []
  const by = findRelation(source, level)
  if (by && by !== 'elsewhere' && level.relations.includes(by)) return [{ target: bound, source: by }]
  // A table of an outer query is limited, or reported, there.
  const isOuter = by === 'elsewhere' || (by !== undefined && (by.tenantTable !== null || by.isBound))
  return isOuter || isBoundValue(source, level) ? [{ target: bound, source: 'value' }] : []
}

const listConditionEdges = (condition: Node | undefined, level: Level): Edge[] =>
  listConjuncts(condition).flatMap((conjunct) =>
    listEqualities(conjunct).flatMap(([left, right]) => [...toEdge(left, right, level), ...toEdge(right, left, level)]),
  )

const listWhereEdges = (query: Query, level: Level): Edge[] =>
  query.kind === 'insert' ? [] : listConditionEdges(query.query.whereClause, level)

/** An outer join limits the side that may be missing, and nothing on the other side; a full join limits neither. */
function listJoinEdges({ join, left, right }: Join, level: Level): Edge[] {
  const edges = listConditionEdges(join.quals, level)
  if (nameTexts(join.usingClause).includes(organizationColumn)) {
    const [lefts, rights] = [left, right].map((names) =>
      level.relations.filter(({ alias, hasOrganization }) => hasOrganization && names.includes(alias)),
    )
    for (const one of lefts ?? [])
      for (const other of rights ?? []) edges.push({ target: one, source: other }, { target: other, source: one })
  }
  if (join.jointype === 'JOIN_LEFT') return edges.filter(({ target }) => right.includes(target.alias))
  if (join.jointype === 'JOIN_RIGHT') return edges.filter(({ target }) => left.includes(target.alias))
  return join.jointype === 'JOIN_FULL' ? edges.filter(({ source }) => source !== 'value') : edges
}

function bindRelations(edges: readonly Edge[]): void {
  for (let isChanged = true; isChanged;) {
    isChanged = false
    for (const { target, source } of edges) {
      if (target.isBound || (source !== 'value' && !source.isBound)) continue
      target.isBound = true
      isChanged = true
    }
  }
}

function readResultColumns(query: Query, level: Level): ResultColumn[] {
  if (query.kind === 'insert') return []
  const targets = query.kind === 'select' ? query.query.targetList : query.query.returningClause?.exprs
  return (targets ?? []).flatMap((node): ResultColumn[] => {
    if (!('ResTarget' in node)) return []
    const { name, val } = node.ResTarget
    if (!val || !('ColumnRef' in val)) return [{ name: name ?? null, isBound: isBoundValue(val, level) }]
    const { table, column } = columnName(val.ColumnRef)
    if (column !== '*') return [{ name: name ?? column, isBound: isBoundValue(val, level) }]
    return level.relations
      .filter(({ alias, hasOrganization }) => hasOrganization && (table === null || table === alias))
      .map(({ isBound }) => ({ name: organizationColumn, isBound }))
  })
}
