import type { ClientBase } from 'pg'
import {
  choosePlanCacheMode,
  computeStatementTimeout_ms,
  postgres_roles,
  type DatabaseSession,
  type StatementTimeouts,
} from '../driver.ts'
import { DatabaseFailure } from '../failures.ts'
import { runStatement } from '../postgres-session.ts'
import type { StatementPreparationMode } from '../sql.ts'
import type { PipelinedStatement } from '../statement-pipeline.ts'

/**
 * The way in which role and organization are set on the server. `connection`: as settings of the connection, whenever
 * they differ from the previous ones. `transaction`: in every transaction, if connections are shared (a pooler).
 */
export type DatabaseSessionSettingScope = 'connection' | 'transaction'

/** `strict`: a statement of an organization that leaves its shard is an error, by which tests find it. */
export type CitusMode = 'lenient' | 'strict'

/** The way in which an open pool makes the settings of its sessions. */
export interface SessionSettingsPolicy {
  readonly limits: StatementTimeouts
  readonly sessionScope: DatabaseSessionSettingScope
  /** Set if the rows are distributed over several servers by Citus. */
  readonly citus: CitusMode | null
}

/** The settings of a session on its connection. */
export interface DatabaseSessionSettings {
  readonly role: string
  /** Empty on Citus, where the setting of a connection does not reach the servers that have the rows. */
  readonly organization: string
  readonly limit_ms: number
  readonly planMode: string
}

/** The settings last applied to each connection. */
const appliedSettings = new WeakMap<ClientBase, DatabaseSessionSettings>()

/**
 * On Citus a plan of one organization names its shard, and a statement of all organizations cannot be planned without its
 * values: each is planned each time, prepared or not.
 */
const choosePlanMode = (citus: CitusMode | null, prepared: StatementPreparationMode): string =>
  citus === null ? choosePlanCacheMode(prepared) : 'force_custom_plan'

export const toDatabaseSessionSettings = (
  session: DatabaseSession,
  { limits, citus }: SessionSettingsPolicy,
  prepared: StatementPreparationMode = false,
): DatabaseSessionSettings => ({
  role: postgres_roles[session.role],
  organization: (citus === null ? session.organization : null) ?? '',
  limit_ms: computeStatementTimeout_ms(session, limits),
  planMode: choosePlanMode(citus, prepared),
})

/** True if the connection has these settings already. */
export const hasSessionSettings = (client: ClientBase, wanted: DatabaseSessionSettings): boolean => {
  const applied = appliedSettings.get(client)
  return (
    applied?.role === wanted.role &&
    applied.organization === wanted.organization &&
    applied.limit_ms === wanted.limit_ms &&
    applied.planMode === wanted.planMode
  )
}

/** Applies the settings to a connection. Returns no promise if it has them already. */
export const applySettingsToConnection = (
  client: ClientBase,
  wanted: DatabaseSessionSettings,
  policy: SessionSettingsPolicy,
): void | Promise<void> => {
  if (hasSessionSettings(client, wanted)) return
  return applySettings(client, wanted, policy)
}

type Setting = readonly [name: string, value: string]

// No JIT: compiling a large statement takes longer than running it, and high estimates of a far page would cause it.
const formats: readonly Setting[] = [
  ['timezone', 'UTC'],
  ['datestyle', 'ISO'],
  ['jit', 'off'],
]

const isStrict = (citus: CitusMode | null, role: string): boolean => citus === 'strict' && role === postgres_roles.app

/** The settings that differ between sessions. */
const listSessionSettings = (wanted: DatabaseSessionSettings, citus: CitusMode | null): Setting[] => [
  ['role', wanted.role],
  ['app.organization_id', wanted.organization],
  ['statement_timeout', String(Math.trunc(wanted.limit_ms))],
  ['plan_cache_mode', wanted.planMode],
  ...(citus === 'strict'
    ? [['citus.multi_task_query_log_level', isStrict(citus, wanted.role) ? 'error' : 'off'] as const]
    : []),
]

const toIdleTimeout = ({ statement_ms }: StatementTimeouts): Setting => [
  'idle_in_transaction_session_timeout',
  String(Math.trunc(statement_ms)),
]

/** The settings that all sessions of a pool have, for a new connection. */
const listPoolSettings = ({ limits, citus }: SessionSettingsPolicy): Setting[] => [
  toIdleTimeout(limits),
  ...formats,
  // Then what a transaction sets locally also holds on the servers that have the rows.
  ...(citus === null ? [] : [['citus.propagate_set_commands', 'local'] as const]),
]

/** One statement for all settings, whose text depends on their names only. */
const buildSettingsStatement = (settings: readonly Setting[], isLocal: boolean): PipelinedStatement => ({
  text: `select ${settings.map(([name], index) => `set_config('${name}', $${index + 1}, ${isLocal})`).join(', ')}`,
  values: settings.map(([, value]) => value),
})

async function applySettings(
  client: ClientBase,
  wanted: DatabaseSessionSettings,
  policy: SessionSettingsPolicy,
): Promise<void> {
  const isNew = !appliedSettings.has(client)
  const timeout_ms = policy.limits.statement_ms
  appliedSettings.delete(client)
  const settings = listSessionSettings(wanted, policy.citus)
  if (isNew) {
    const statement = buildSettingsStatement([...settings, ...listPoolSettings(policy)], false)
    await runStatement(client, { ...statement, timeout_ms })
  } else {
    const statement = buildSettingsStatement(settings, false)
    await runStatement(client, { ...statement, timeout_ms, name: 'session_settings' })
  }
  appliedSettings.set(client, wanted)
}

/** Forgets the settings of a connection, because a script may have changed them. */
export const forgetDatabaseSessionSettings = (client: ClientBase): void => void appliedSettings.delete(client)

const toStatement = (text: string): PipelinedStatement => ({ text, values: [] })

const uuid = /^[0-9a-f-]{36}$/i

/**
 * Only SET LOCAL reaches the servers that have the rows, for a message to each. It accepts no parameters, so this is the only
 * place where a value becomes SQL text: an organization id is validated as 36 hexadecimal digits and dashes.
 */
function setOrganizationOnNodes(organization: string): PipelinedStatement {
  if (!uuid.test(organization)) {
    throw new DatabaseFailure('bad-parameter', 'the id of an organization must be a UUID')
  }
  return toStatement(`set local app.organization_id = '${organization}'`)
}

/** The settings of a transaction on a connection that keeps none. */
function listTransactionSettings(session: DatabaseSession, policy: SessionSettingsPolicy): Setting[] {
  const { organization, limit_ms, role } = toDatabaseSessionSettings(session, policy)
  return [
    ...(session.role === 'owner' ? [] : [['role', role] as const]),
    ...(organization === '' ? [] : [['app.organization_id', organization] as const]),
    ['statement_timeout', String(Math.trunc(limit_ms))],
    ...(isStrict(policy.citus, role) ? [['citus.multi_task_query_log_level', 'error'] as const] : []),
    ...listPoolSettings(policy),
  ]
}

/** The settings of a session that its connection does not keep, for the transaction that has begun. */
function buildTransactionSettings(session: DatabaseSession, policy: SessionSettingsPolicy): PipelinedStatement[] {
  const { organization } = session
  return [
    ...(policy.sessionScope === 'transaction'
      ? [buildSettingsStatement(listTransactionSettings(session, policy), true)]
      : []),
    ...(policy.citus === null || organization === null ? [] : [setOrganizationOnNodes(organization)]),
  ]
}

/** The statements that begin a transaction of the session. */
export const buildBeginStatements = (
  session: DatabaseSession,
  policy: SessionSettingsPolicy,
): [PipelinedStatement, ...PipelinedStatement[]] => [toStatement('begin'), ...buildTransactionSettings(session, policy)]

/** The statements before and after one that is no part of a transaction. */
export interface StatementFrame {
  readonly before: readonly PipelinedStatement[]
  readonly after: readonly PipelinedStatement[]
}

/**
 * One message is a transaction without being told so, for settings too; but Citus sends settings on only in one that was begun.
 */
export function buildStatementFrame(session: DatabaseSession, policy: SessionSettingsPolicy): StatementFrame {
  if (policy.citus !== null && session.organization !== null)
    return { before: buildBeginStatements(session, policy), after: [toStatement('commit')] }
  // The owner changes the schema, and has no settings.
  return { before: session.role === 'owner' ? [] : buildTransactionSettings(session, policy), after: [] }
}
