import type { InsertStmt, Node } from 'libpg-query'
import type { StatementFinding } from './findings.ts'
import { functionName, nameTexts, typeName, visitNodes, withoutCasts, type Query } from './nodes.ts'
import { listTables } from './relations.ts'
import type { MigratedSchema } from './schema.ts'

/** Functions of PostgreSQL that are volatile and could be in a statement, from `pg_proc`. */
const volatileFunctions: ReadonlySet<string> = new Set([
  'clock_timestamp',
  'currval',
  'gen_random_uuid',
  'lastval',
  'nextval',
  'pg_advisory_lock',
  'pg_advisory_xact_lock',
  'pg_notify',
  'pg_sleep',
  'pg_try_advisory_lock',
  'pg_try_advisory_xact_lock',
  'random',
  'random_normal',
  'set_config',
  'setval',
  'timeofday',
  'uuidv4',
  'uuidv7',
])

/** Functions of PostgreSQL that are immutable whatever their arguments are, from `pg_proc`. Add what a statement needs. */
const immutableFunctions: ReadonlySet<string> = new Set([
  'abs',
  'array_append',
  'array_cat',
  'array_length',
  'array_remove',
  'cardinality',
  'ceil',
  'floor',
  'jsonb_set',
  'jsonb_strip_nulls',
  'left',
  'lower',
  'md5',
  'mod',
  'replace',
  'right',
  'round',
  'sign',
  'substr',
  'trunc',
  'upper',
])

/** Types whose text depends on the time zone or the date style of a session. */
const timeTypes: ReadonlySet<string> = new Set(['timestamptz', 'timestamp', 'date', 'time', 'timetz'])

const isVolatile = (name: string, { volatility }: MigratedSchema): boolean =>
  volatileFunctions.has(name) || volatility.get(name) === 'volatile'

const isImmutable = (name: string, { volatility }: MigratedSchema): boolean =>
  immutableFunctions.has(name) || volatility.get(name) === 'immutable'

/** Volatile functions in an UPDATE of a tenant table, or in the conditions of a query of one. */
export function findVolatileFunctions({ kind, query }: Query, schema: MigratedSchema): StatementFinding[] {
  if (!listTables({ kind, query } as Query).some((table) => schema.tenantTables.has(table))) return []
  const parts = [
    kind === 'update' ? query.targetList : [],
    kind === 'insert' ? [] : query.whereClause,
    kind === 'select' || kind === 'update' ? query.fromClause : [],
  ]
  const names = new Set<string>()
  for (const part of parts) {
    visitNodes(
      part,
      (node) => {
        if ('FuncCall' in node && isVolatile(functionName(node.FuncCall), schema))
          names.add(functionName(node.FuncCall))
      },
      false,
    )
  }
  return [...names].map((name) => ({ kind: 'volatile', detail: `calls the volatile function ${name}` }))
}

/** What the UPDATE of a conflict computes with other than immutable functions. */
export function findConflictFunctions(
  { relation, onConflictClause }: InsertStmt,
  schema: MigratedSchema,
): StatementFinding[] {
  if (!schema.tenantTables.has(relation?.relname ?? '')) return []
  if (onConflictClause?.action !== 'ONCONFLICT_UPDATE') return []
  const details = new Set<string>()
  visitNodes([onConflictClause.targetList, onConflictClause.whereClause], (node) => {
    const detail = describeMutable(node, schema)
    if (detail !== null) details.add(`${detail} in ON CONFLICT DO UPDATE`)
  })
  return [...details].map((detail) => ({ kind: 'on-conflict', detail }))
}

/** Why an expression may give another result in another session or at another time; null if it does not. */
function describeMutable(node: Node, schema: MigratedSchema): string | null {
  if ('FuncCall' in node) {
    const name = functionName(node.FuncCall)
    return isImmutable(name, schema) ? null : `calls ${name}, which is not known to be immutable,`
  }
  if ('SQLValueFunction' in node) return 'uses the current time or session'
  if ('TypeCast' in node) {
    const type = typeName(node.TypeCast.typeName)
    const inner = withoutCasts(node.TypeCast.arg)
    // The cast of a parameter or a constant only says its type.
    const isConstant = inner !== undefined && ('ParamRef' in inner || 'A_Const' in inner)
    return timeTypes.has(type) && !isConstant ? `casts to ${type}` : null
  }
  if (!('A_Expr' in node) || !['+', '-'].includes(nameTexts(node.A_Expr.name).at(-1) ?? '')) return null
  const { lexpr, rexpr } = node.A_Expr
  return isInterval(rexpr) !== isInterval(lexpr) ? 'adds an interval to a time' : null
}

/** Whether an expression is written as an interval, or as a multiple of one. */
function isInterval(node: Node | undefined): boolean {
  if (!node) return false
  if ('TypeCast' in node) return typeName(node.TypeCast.typeName) === 'interval'
  if ('FuncCall' in node) return functionName(node.FuncCall) === 'make_interval'
  if (!('A_Expr' in node) || !['*', '/'].includes(nameTexts(node.A_Expr.name).at(-1) ?? '')) return false
  return isInterval(node.A_Expr.lexpr) || isInterval(node.A_Expr.rexpr)
}
