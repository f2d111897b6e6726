import type { ClientBase, Connection, FieldDef, Submittable } from 'pg'
import { getColumnDecoder, type EncodedParameter } from './values.ts'

type Row = Record<string, unknown>

interface Column {
  readonly name: string
  readonly decode: (text: string) => unknown
}

/** A statement of a pipeline; one with a name is prepared by the connection that runs it for the first time. */
export interface PipelinedStatement {
  readonly text: string
  readonly values: readonly EncodedParameter[]
  readonly name?: string | undefined
}

/** A statement whose result is wanted, with those that run before and after it on the same connection. */
export interface FramedStatement extends PipelinedStatement {
  readonly before: readonly PipelinedStatement[]
  readonly after: readonly PipelinedStatement[]
}

/** The columns of the statements that a connection has prepared, by the name of the statement. They cannot change as long as it is open. */
const preparedColumns = new WeakMap<ClientBase, Map<string, readonly Column[]>>()

function rememberPreparedColumns(client: ClientBase, name: string, columns: readonly Column[]): void {
  const known = preparedColumns.get(client) ?? new Map<string, readonly Column[]>()
  preparedColumns.set(client, known)
  known.set(name, columns)
}

const toColumn = ({ name, dataTypeID }: FieldDef): Column => ({ name, decode: getColumnDecoder(dataTypeID) })

const noColumns: readonly Column[] = []

export interface PipelineResult {
  readonly rows: Row[]
  readonly command: string
}

export type OnPipelineResult = (error: Error | null, result: PipelineResult | null) => void

/**
 * Several statements in one message, with one answer: the server skips what follows a failed one. So none runs without the
 * settings that those before it make, and a transaction that they began is left open after an error.
 *
 * Also one execution of a statement that the connection has prepared. The query of pg asks the server to describe the columns
 * each time, and builds their decoders anew; for a search that is a fourteenth of its CPU time in this process.
 */
export class StatementPipeline implements Submittable {
  private readonly client: ClientBase
  private readonly statement: FramedStatement
  private readonly onResult: OnPipelineResult
  private readonly rows: Row[] = []
  /** Undefined until the server has described them. */
  private columns: readonly Column[] | undefined
  private completed_count = 0
  private command = ''
  private error: Error | null = null

  constructor(client: ClientBase, statement: FramedStatement, onResult: OnPipelineResult) {
    this.client = client
    this.statement = statement
    this.onResult = onResult
    if (statement.name !== undefined) this.columns = preparedColumns.get(client)?.get(statement.name)
  }

  /** Sends the messages of the extended query protocol in one piece. */
  submit(connection: Connection): void {
    const { before, after } = this.statement
    connection.stream.cork()
    for (const other of before) sendOther(connection, other)
    this.sendStatement(connection)
    for (const other of after) sendOther(connection, other)
    connection.sync()
    connection.stream.uncork()
  }

  private sendStatement(connection: Connection): void {
    const { name = '', text, values } = this.statement
    const isPrepared = name !== '' && this.columns !== undefined
    if (!isPrepared) {
      // An execution that failed the first time has left the name behind.
      if (name !== '') connection.close({ type: 'S', name }, false)
      connection.parse({ name, text, types: [] }, false)
    }
    connection.bind({ statement: name, values: [...values] }, false)
    if (!isPrepared) connection.describe({ type: 'P', name: '' }, false)
    connection.execute(null, false)
  }

  private isAtStatement(): boolean {
    return this.completed_count === this.statement.before.length
  }

  handleRowDescription({ fields }: { readonly fields: readonly FieldDef[] }): void {
    this.columns = fields.map(toColumn)
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    if (!this.isAtStatement()) return
    const row: Row = {}
    try {
      for (const [index, { name, decode }] of (this.columns ?? noColumns).entries()) {
        const text = fields[index] ?? null
        row[name] = text === null ? null : decode(text)
      }
    } catch (error) {
      this.error ??= error as Error
    }
    this.rows.push(row)
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    if (this.isAtStatement()) {
      this.command = text.split(' ', 1)[0]!
      const { name } = this.statement
      if (name !== undefined) rememberPreparedColumns(this.client, name, this.columns ?? noColumns)
    }
    this.completed_count += 1
  }

  handleEmptyQuery(): void {
    this.completed_count += 1
  }

  handleError(error: Error): void {
    this.onResult(error, null)
  }

  handleReadyForQuery(): void {
    if (this.error === null) this.onResult(null, { rows: this.rows, command: this.command })
    else this.onResult(this.error, null)
  }
}

/** Sends a statement whose rows nobody reads. */
function sendOther(connection: Connection, { text, values }: PipelinedStatement): void {
  connection.parse({ name: '', text, types: [] }, false)
  connection.bind({ values: [...values] }, false)
  connection.execute(null, false)
}
