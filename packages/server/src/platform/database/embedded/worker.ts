import { parentPort, workerData } from 'node:worker_threads'
import type { PGlite } from '@electric-sql/pglite'
import { messages, protocol } from '@electric-sql/pglite'
import type { Session } from '../driver.ts'
import type { Refusal } from '../failures.ts'
import type { WireValue } from '../values.ts'
import { openEngine } from './engine.ts'
import { guardEngine } from './guard.ts'
import { counter } from './messages.ts'
import type { Reply, Request, TextOutcome, WorkerData } from './messages.ts'

// The database side of the bridge: answers one request after the other, in the order of their arrival.

const { engine: options, counters } = workerData as WorkerData
const count = new BigInt64Array(counters)
const port = parentPort!
const reply = (message: Reply): void => port.postMessage(message)

type Message = Awaited<ReturnType<PGlite['execProtocol']>>['messages'][number]

const { parse, bind, describe, execute, sync } = protocol.serialize

/** Unnamed statement and portal, described, run to the end: one trip into the compiled server. */
const extended = (text: string, values: readonly WireValue[]): Uint8Array =>
  Buffer.concat([parse({ text }), bind({ values: [...values] }), describe({ type: 'P' }), execute({}), sync()])

/** Names of the texts that the engine has parsed and keeps. */
const keptNames = new Map<string, string>()

/** A kept statement is parsed before its first run only, in a trip of its own: one that is refused is not kept. */
async function keep(engine: PGlite, text: string): Promise<string> {
  const known = keptNames.get(text)
  if (known !== undefined) return known
  const name = `kept_${keptNames.size}`
  await engine.execProtocol(Buffer.concat([parse({ name, text }), sync()]), { syncToFs: false })
  keptNames.set(text, name)
  return name
}

const keptRun = (statement: string, values: readonly WireValue[]): Uint8Array =>
  Buffer.concat([bind({ statement, values: [...values] }), describe({ type: 'P' }), execute({}), sync()])

async function bytesOf(engine: PGlite, request: Exclude<Request, { kind: 'close' }>): Promise<Uint8Array> {
  if (request.kind === 'script') return protocol.serialize.query(request.text)
  const { text, values } = request
  return request.kept ? keptRun(await keep(engine, text), values) : extended(text, values)
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

/** Role and organization of the connection, set only when they differ from the last request's. */
function openSessions(engine: PGlite): (session: Session) => Promise<void> {
  let role = 'none'
  let organization = ''
  return async (session) => {
    const wantedRole = session.eyes === 'app' ? 'swath_app' : 'none'
    const wanted = session.organization ?? ''
    if (wantedRole === role && wanted === organization) return
    const text = `select set_config('role', $1, false), set_config('app.organization_id', $2, false)`
    await engine.execProtocol(extended(text, [wantedRole, wanted]), { syncToFs: false })
    role = wantedRole
    organization = wanted
  }
}

async function serve(): Promise<void> {
  const engine = await openEngine(options, () => Atomics.add(count, counter.syncs, 1n))
  const guard = guardEngine(engine)
  const become = openSessions(engine)

  /** A script that ends inside a transaction of its own would leave everybody in it. */
  const leave = (request: Request): void => {
    if (request.kind === 'script' && request.alone) engine.execProtocolRawSync(protocol.serialize.query('rollback'))
  }

  const answer = async (request: Request): Promise<void> => {
    Atomics.store(count, counter.begun, BigInt(request.id))
    try {
      if (request.kind === 'close') {
        await engine.close()
        return reply({ kind: 'answer', id: request.id, outcomes: [] })
      }
      await become(request.session)
      const { messages: answers } = await engine.execProtocol(await bytesOf(engine, request), { syncToFs: false })
      leave(request)
      const broken = guard.fatal()
      if (broken !== null) return reply({ kind: 'fatal', id: request.id, message: broken })
      return reply({ kind: 'answer', id: request.id, outcomes: readOutcomes(answers) })
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
