import { parentPort, workerData } from 'node:worker_threads'
import type { PGlite } from '@electric-sql/pglite'
import { messages, protocol } from '@electric-sql/pglite'
import { choosePlanCacheMode, postgres_roles } from '../driver.ts'
import type { PostgresErrorFields } from '../failures.ts'
import type { EncodedParameter } from '../values.ts'
import { openPgliteDatabaseEngine } from './engine.ts'
import { installDatabaseEngineGuard } from './engine-guard.ts'
import { databaseEngineCounterIndexes } from './messages.ts'
import type {
  DatabaseEngineReply,
  DatabaseEngineRequest,
  TextFormatQueryResult,
  DatabaseEngineWorkerData,
} from './messages.ts'
import { createDatabaseEngineReset } from './reset-engine.ts'

// The database side of the engine client: answers requests one after another, in the order of their arrival.

const { engine: engineOptions, counters } = workerData as DatabaseEngineWorkerData
const counterValues = new BigInt64Array(counters)
const port = parentPort!
const reply = (message: DatabaseEngineReply): void => port.postMessage(message)

type Message = Awaited<ReturnType<PGlite['execProtocol']>>['messages'][number]

const { parse, bind, describe, execute, sync } = protocol.serialize

/** Unnamed statement and portal, described and executed: one round trip to the compiled server. */
const encodeExtendedQuery = (text: string, values: readonly EncodedParameter[]): Uint8Array =>
  Buffer.concat([parse({ text }), bind({ values: [...values] }), describe({ type: 'P' }), execute({}), sync()])

/** The state of the connection as this thread set it. */
interface ConnectionState {
  role: string
  organization: string
  planMode: string
  /** Names of the prepared statements by their text. */
  readonly statements: Map<string, string>
}

const createConnectionState = (): ConnectionState => ({
  role: 'none',
  organization: '',
  planMode: 'auto',
  statements: new Map(),
})

/** A statement is prepared in its own round trip before its first execution: one that fails to parse is not remembered. */
async function prepareStatement(engine: PGlite, { statements }: ConnectionState, text: string): Promise<string> {
  const preparedName = statements.get(text)
  if (preparedName !== undefined) return preparedName
  const name = `kept_${statements.size}`
  await engine.execProtocol(Buffer.concat([parse({ name, text }), sync()]), { syncToFs: false })
  statements.set(text, name)
  return name
}

const encodePreparedRun = (statement: string, values: readonly EncodedParameter[]): Uint8Array =>
  Buffer.concat([bind({ statement, values: [...values] }), describe({ type: 'P' }), execute({}), sync()])

type StatementRequest = Exclude<DatabaseEngineRequest, { kind: 'close' }>

const beginMessage = protocol.serialize.query('begin')

async function encodeRequest(
  engine: PGlite,
  connection: ConnectionState,
  request: StatementRequest,
): Promise<Uint8Array> {
  const bytes = await encodeStatement(engine, connection, request)
  return request.begins ? Buffer.concat([beginMessage, bytes]) : bytes
}

async function encodeStatement(
  engine: PGlite,
  connection: ConnectionState,
  request: StatementRequest,
): Promise<Uint8Array> {
  if (request.kind === 'script') return protocol.serialize.query(request.text)
  const { text, values } = request
  return request.prepared
    ? encodePreparedRun(await prepareStatement(engine, connection, text), values)
    : encodeExtendedQuery(text, values)
}

function toTextResults(messagesReceived: readonly Message[]): TextFormatQueryResult[] {
  const results: TextFormatQueryResult[] = []
  let columns: { name: string; type: number }[] = []
  let rows: (string | null)[][] = []
  for (const answer of messagesReceived) {
    if (answer instanceof messages.RowDescriptionMessage) {
      columns = answer.fields.map((field) => ({ name: field.name, type: field.dataTypeID }))
    } else if (answer instanceof messages.DataRowMessage) {
      rows.push(answer.fields)
    } else if (answer instanceof messages.CommandCompleteMessage) {
      results.push({ command: answer.text.split(' ', 1)[0] ?? '', columns, rows })
      columns = []
      rows = []
    }
  }
  return results
}

function toErrorFields(error: unknown): PostgresErrorFields {
  if (!(error instanceof messages.DatabaseError))
    return { message: error instanceof Error ? error.message : String(error) }
  const { message, code, detail, hint, position, where, schema, table, column, constraint } = error
  return { message, code, detail, hint, position, where, schema, table, column, constraint } as PostgresErrorFields
}

/** Sets role, organization and plan mode of the connection if they differ from those of the last request. */
async function applySession(engine: PGlite, connection: ConnectionState, request: StatementRequest): Promise<void> {
  const { session } = request
  const role = postgres_roles[session.role]
  const organization = session.organization ?? ''
  const planMode = choosePlanCacheMode(request.kind === 'run' ? (request.prepared ?? false) : false)
  if (role === connection.role && organization === connection.organization && planMode === connection.planMode) return
  const text = `
    select set_config('role', $1, false), set_config('app.organization_id', $2, false), set_config('plan_cache_mode', $3, false)`
  await engine.execProtocol(encodeExtendedQuery(text, [role, organization, planMode]), { syncToFs: false })
  Object.assign(connection, { role, organization, planMode })
}

async function serveRequests(): Promise<void> {
  const engine = await openPgliteDatabaseEngine(engineOptions, () =>
    Atomics.add(counterValues, databaseEngineCounterIndexes.syncs, 1n),
  )
  const engineGuard = installDatabaseEngineGuard(engine)
  const restore = engineOptions.storage === 'memory' ? await createDatabaseEngineReset(engine) : null
  let connection = createConnectionState()

  /** Rolls back a transaction that a script left open. */
  const leaveTransaction = (request: DatabaseEngineRequest): void => {
    if (request.kind === 'script' && request.alone) engine.execProtocolRawSync(protocol.serialize.query('rollback'))
  }

  const close = async (id: number): Promise<void> => {
    const restored = restore !== null && engineGuard.fatal() === null && (await restore())
    if (!restored) await engine.close()
    connection = createConnectionState()
    Atomics.store(counterValues, databaseEngineCounterIndexes.begun, 0n)
    reply({ kind: 'closed', id, restored })
  }

  const answer = async (request: DatabaseEngineRequest): Promise<void> => {
    Atomics.store(counterValues, databaseEngineCounterIndexes.begun, BigInt(request.id))
    try {
      if (request.kind === 'close') return await close(request.id)
      await applySession(engine, connection, request)
      const bytes = await encodeRequest(engine, connection, request)
      const { messages: messagesReceived } = await engine.execProtocol(bytes, { syncToFs: false })
      leaveTransaction(request)
      const fatalError = engineGuard.fatal()
      if (fatalError !== null) return reply({ kind: 'fatal', id: request.id, message: fatalError })
      const results = toTextResults(messagesReceived)
      return reply({ kind: 'answer', id: request.id, outcomes: request.begins ? results.slice(1) : results })
    } catch (error) {
      leaveTransaction(request)
      const fatalError = engineGuard.fatal()
      if (fatalError !== null) return reply({ kind: 'fatal', id: request.id, message: fatalError })
      return reply({ kind: 'refusal', id: request.id, refusal: toErrorFields(error) })
    }
  }

  let lastRequest: Promise<void> = Promise.resolve()
  port.on('message', (request: DatabaseEngineRequest) => {
    lastRequest = lastRequest.then(() => answer(request))
  })
  reply({ kind: 'ready' })
}

try {
  await serveRequests()
} catch (error) {
  reply({ kind: 'unopened', message: error instanceof Error ? error.message : String(error) })
}
