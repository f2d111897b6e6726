import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ClientBase, Connection, FieldDef } from 'pg'
import { StatementPipeline, type FramedStatement, type PipelineResult } from './statement-pipeline.ts'

/** The client is only the key of what a connection has prepared. */
const createFakeClient = (): ClientBase => ({}) as ClientBase

/** Records the messages that a pipeline sends. */
function recordMessages(): { readonly connection: Connection; readonly messages: string[] } {
  const messages: string[] = []
  const connection = {
    stream: { cork: () => void messages.push('cork'), uncork: () => void messages.push('uncork') },
    close: ({ name }: { name: string }) => void messages.push(`close ${name}`),
    parse: ({ name, text }: { name: string; text: string }) => void messages.push(`parse ${name}: ${text}`),
    bind: ({ statement = '', values }: { statement?: string; values: unknown[] }) =>
      void messages.push(`bind ${statement}: ${values.join()}`),
    describe: () => void messages.push('describe'),
    execute: () => void messages.push('execute'),
    sync: () => void messages.push('sync'),
  }
  return { connection: connection as unknown as Connection, messages }
}

const begin = { text: 'begin', values: [] }
const commit = { text: 'commit', values: [] }
const statement: FramedStatement = {
  text: 'select $1::integer as n',
  values: ['7'],
  name: 'kept',
  before: [],
  after: [],
}
const integer = { name: 'n', dataTypeID: 23 } as FieldDef

type Outcome = Error | PipelineResult

function createPipeline(
  client: ClientBase,
  framed: FramedStatement,
): { pipeline: StatementPipeline; outcomes: Outcome[] } {
  const outcomes: Outcome[] = []
  const pipeline = new StatementPipeline(client, framed, (error, result) => void outcomes.push(error ?? result!))
  return { pipeline, outcomes }
}

const send = (pipeline: StatementPipeline): string[] => {
  const { connection, messages } = recordMessages()
  pipeline.submit(connection)
  return messages
}

test('statements are sent in one piece, with one point at which the server waits', () => {
  const settings = { text: 'select set_config($1)', values: ['x'] }
  const { pipeline, outcomes } = createPipeline(createFakeClient(), {
    ...statement,
    name: undefined,
    before: [begin, settings],
    after: [commit],
  })
  assert.deepEqual(send(pipeline), [
    'cork',
    'parse : begin',
    'bind : ',
    'execute',
    'parse : select set_config($1)',
    'bind : x',
    'execute',
    'parse : select $1::integer as n',
    'bind : 7',
    'describe',
    'execute',
    'parse : commit',
    'bind : ',
    'execute',
    'sync',
    'uncork',
  ])
  pipeline.handleCommandComplete({ text: 'BEGIN' })
  // A row of the settings, which nobody reads.
  pipeline.handleDataRow({ fields: ['x'] })
  pipeline.handleCommandComplete({ text: 'SELECT 1' })
  pipeline.handleRowDescription({ fields: [integer] })
  pipeline.handleDataRow({ fields: ['7'] })
  pipeline.handleDataRow({ fields: [null] })
  pipeline.handleCommandComplete({ text: 'SELECT 2' })
  pipeline.handleCommandComplete({ text: 'COMMIT' })
  assert.deepEqual(outcomes, [])
  pipeline.handleReadyForQuery()
  assert.deepEqual(outcomes, [{ rows: [{ n: 7 }, { n: null }], command: 'SELECT' }])
})

test('a connection parses and describes a statement with a name until it has run once', () => {
  const client = createFakeClient()
  const first = ['cork', 'close kept', 'parse kept: select $1::integer as n', 'bind kept: 7', 'describe', 'execute']
  const failed = createPipeline(client, statement)
  assert.deepEqual(send(failed.pipeline).slice(0, -2), first)
  failed.pipeline.handleError(new Error('no such row'))
  assert.equal((failed.outcomes[0] as Error).message, 'no such row')

  const successful = createPipeline(client, { ...statement, before: [begin] })
  assert.deepEqual(send(successful.pipeline).slice(4, -2), first.slice(1))
  successful.pipeline.handleCommandComplete({ text: 'BEGIN' })
  successful.pipeline.handleRowDescription({ fields: [integer] })
  successful.pipeline.handleCommandComplete({ text: 'SELECT 0' })

  const again = createPipeline(client, statement)
  assert.deepEqual(send(again.pipeline), ['cork', 'bind kept: 7', 'execute', 'sync', 'uncork'])
  again.pipeline.handleDataRow({ fields: ['8'] })
  again.pipeline.handleCommandComplete({ text: 'SELECT 1' })
  again.pipeline.handleReadyForQuery()
  assert.deepEqual(again.outcomes, [{ rows: [{ n: 8 }], command: 'SELECT' }])
})

test('a value that cannot be decoded is an error of its statement', () => {
  const { pipeline, outcomes } = createPipeline(createFakeClient(), statement)
  pipeline.handleRowDescription({ fields: [{ name: 'json', dataTypeID: 3802 } as FieldDef] })
  pipeline.handleDataRow({ fields: ['{'] })
  pipeline.handleCommandComplete({ text: 'SELECT 1' })
  pipeline.handleReadyForQuery()
  assert.ok(outcomes[0] instanceof SyntaxError)
})
