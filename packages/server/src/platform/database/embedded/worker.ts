import { parentPort, workerData } from 'node:worker_threads'
import type { PGlite } from '@electric-sql/pglite'
import { messages, protocol } from '@electric-sql/pglite'
import { planModeOf, rolesOfEyes } from '../driver.ts'
import type { Refusal } from '../failures.ts'
import type { WireValue } from '../values.ts'
import { openEngine } from './engine.ts'
import { guardEngine } from './guard.ts'
import { counter } from './messages.ts'
import type { Reply, Request, TextOutcome, WorkerData } from './messages.ts'
import { keepEngine } from './kept-engine.ts'

// The database side of the engine client: answers requests one after another, in the order of their arrival.

const { engine: options, counters } = workerData as WorkerData
const count = new BigInt64Array(counters)
const port = parentPort!
const reply = (message: Reply): void => port.postMessage(message)

type Message = Awaited<ReturnType<PGlite['execProtocol']>>['messages'][number]

const { parse, bind, describe, execute, sync } = protocol.serialize

/** Unnamed statement and portal, described and executed: one round trip to the compiled server. */
const extended = (text: string, values: readonly WireValue[]): Uint8Array =>
  Buffer.concat([parse({ text }), bind({ values: [...values] }), describe({ type: 'P' }), execute({}), sync()])

/** The state of the connection as this thread set it. */
interface Connection {
  role: string
  organization: string
  plans: string
  /** Names of the prepared statements by their text. */
  readonly statements: Map<string, string>
}

const newConnection = (): Connection => ({ role: 'none', organization: '', plans: 'auto', statements: new Map() })

/** A statement is prepared in its own round trip before its first execution: one that fails to parse is not remembered. */
async function keep(engine: PGlite, { statements }: Connection, text: string): Promise<string> {
  const known = statements.get(text)
  if (known !== undefined) return known
  const name = `kept_${statements.size}`
  await engine.execProtocol(Buffer.concat([parse({ name, text }), sync()]), { syncToFs: false })
  statements.set(text, name)
  return name
}

const keptRun = (statement: string, values: readonly WireValue[]): Uint8Array =>
  Buffer.concat([bind({ statement, values: [...values] }), describe({ type: 'P' }), execute({}), sync()])

type Statement = Exclude<Request, { kind: 'close' }>

const begin = protocol.serialize.query('begin')

async function bytesOf(engine: PGlite, connection: Connection, request: Statement): Promise<Uint8Array> {
  const bytes = await statementBytes(engine, connection, request)
  return request.begins ? Buffer.concat([begin, bytes]) : bytes
}

async function statementBytes(engine: PGlite, connection: Connection, request: Statement): Promise<Uint8Array> {
  if (request.kind === 'script') return protocol.serialize.query(request.text)
  const { text, values } = request
  return request.kept ? keptRun(await keep(engine, connection, text), values) : extended(text, values)
}

function readOutcomes(answers: readonly Message[]): TextOutcome[] {
  const outcomes: TextOutcome[] = []
  let columns: { name: string; type: number }[] = []
  let rows: (string | null)[][] = []
  for (const answer of answers) {
    if (answer instanceof messages.RowDescriptionMessage) {
      columns = answer.fields.map((field) => ({ name: field.name, type: field.dataTypeID }))
    } else if (answer instanceof messages.DataRowMessage) {
      rows.push(answer.fields)
    } else if (answer instanceof messages.CommandCompleteMessage) {
      outcomes.push({ command: answer.text.split(' ', 1)[0] ?? '', columns, rows })
      columns = []
      rows = []
    }
  }
  return outcomes
}

function readRefusal(error: unknown): Refusal {
  if (!(error instanceof messages.DatabaseError))
    return { message: error instanceof Error ? error.message : String(error) }
  const { message, code, detail, hint, position, where, schema, table, column, constraint } = error
  return { message, code, detail, hint, position, where, schema, table, column, constraint } as Refusal
}

/** Sets role, organization and plan mode of the connection if they differ from those of the last request. */
async function become(engine: PGlite, connection: Connection, request: Statement): Promise<void> {
  const { session } = request
  const role = rolesOfEyes[session.eyes]
  const organization = session.organization ?? ''
  const plans = planModeOf(request.kind === 'run' ? (request.kept ?? false) : false)
  if (role === connection.role && organization === connection.organization && plans === connection.plans) return
  const text = `
    select set_config('role', $1, false), set_config('app.organization_id', $2, false), set_config('plan_cache_mode', $3, false)`
  await engine.execProtocol(extended(text, [role, organization, plans]), { syncToFs: false })
  Object.assign(connection, { role, organization, plans })
}

async function serve(): Promise<void> {
  const engine = await openEngine(options, () => Atomics.add(count, counter.syncs, 1n))
  const guard = guardEngine(engine)
  const restore = options.storage === 'memory' ? await keepEngine(engine) : null
  let connection = newConnection()

  /** Rolls back a transaction that a script left open. */
  const leave = (request: Request): void => {
    if (request.kind === 'script' && request.alone) engine.execProtocolRawSync(protocol.serialize.query('rollback'))
  }

  const close = async (id: number): Promise<void> => {
    const restored = restore !== null && guard.fatal() === null && (await restore())
    if (!restored) await engine.close()
    connection = newConnection()
    Atomics.store(count, counter.begun, 0n)
    reply({ kind: 'closed', id, restored })
  }

  const answer = async (request: Request): Promise<void> => {
    Atomics.store(count, counter.begun, BigInt(request.id))
    try {
      if (request.kind === 'close') return await close(request.id)
      await become(engine, connection, request)
      const bytes = await bytesOf(engine, connection, request)
      const { messages: answers } = await engine.execProtocol(bytes, { syncToFs: false })
      leave(request)
      const broken = guard.fatal()
      if (broken !== null) return reply({ kind: 'fatal', id: request.id, message: broken })
      const outcomes = readOutcomes(answers)
      return reply({ kind: 'answer', id: request.id, outcomes: request.begins ? outcomes.slice(1) : outcomes })
    } catch (error) {
      leave(request)
      const broken = guard.fatal()
      if (broken !== null) return reply({ kind: 'fatal', id: request.id, message: broken })
      return reply({ kind: 'refusal', id: request.id, refusal: readRefusal(error) })
    }
  }

  let last: Promise<void> = Promise.resolve()
  port.on('message', (request: Request) => {
    last = last.then(() => answer(request))
  })
  reply({ kind: 'ready' })
}

try {
  await serve()
} catch (error) {
  reply({ kind: 'unopened', message: error instanceof Error ? error.message : String(error) })
}
