import type {
  DatabaseDriver,
  DriverTransaction,
  StatementResult,
  StatementRunner,
  DatabaseSession,
  StatementTimeouts,
} from '../driver.ts'
import { computeStatementTimeout_ms } from '../driver.ts'
import { DatabaseFailure, StatementError } from '../failures.ts'
import type { StatementPreparationMode } from '../sql.ts'
import type { EncodedParameter } from '../values.ts'
import type { DatabaseEngineClient, DatabaseEngineRequestBody } from './engine-client.ts'
import { createConnectionScheduler, type StatementKind } from './connection-scheduler.ts'

const emptyResult: StatementResult = { rows: [], command: '' }

/** Calls `work` after each period of `timeout_ms` in which nothing ran. */
function createIdleTimer(
  timeout_ms: number,
  work: () => void,
): { during<T>(run: () => Promise<T>): Promise<T>; end(): void } {
  let running = 0
  let ended = false
  let timer: NodeJS.Timeout | undefined
  const restart = (): void => {
    clearTimeout(timer)
    if (running === 0 && !ended) timer = setTimeout(work, timeout_ms)
  }
  restart()
  return {
    during: async (run) => {
      clearTimeout(timer)
      running += 1
      try {
        return await run()
      } finally {
        running -= 1
        restart()
      }
    },
    end: () => {
      ended = true
      clearTimeout(timer)
    },
  }
}

/** A commit that was interrupted may or may not have reached the disk. */
const throwAsUnknownOutcome = (error: unknown): never => {
  if (error instanceof DatabaseFailure && error.failure === 'statement-too-long') {
    throw new DatabaseFailure('outcome-unknown', 'the commit was interrupted', error)
  }
  throw error
}

const statementKindOf = ({ isSearch, isBackground }: DatabaseSession): StatementKind => {
  if (isSearch) return 'search'
  return isBackground ? 'background' : 'statement'
}

/** A generation that no thread has: every request for it is rejected. */
const no_generation = -1

type StatementRequest = Exclude<DatabaseEngineRequestBody, { kind: 'close' }>

/**
 * Sends the statements of a transaction, which begins together with the first one. Until that one is answered, the thread
 * generation of the transaction is unknown, so the others wait for it. If the first statement was lost with its thread, so
 * is the transaction.
 */
function createTransactionSender(engineClient: DatabaseEngineClient): {
  statement(work: StatementRequest, timeout_ms: number): Promise<StatementResult[]>
  hasBegun(): boolean
} {
  let first: Promise<void> | undefined
  let generation = no_generation
  return {
    hasBegun: () => first !== undefined,
    statement: async (work, timeout_ms) => {
      if (first) {
        await first
        return engineClient.post({ ...work, begins: false }, { timeout_ms, generation })
      }
      const response = engineClient.post({ ...work, begins: true }, { timeout_ms })
      const recordGeneration = (): void => void (generation = engineClient.generation)
      first = response.then(recordGeneration, (error: unknown) =>
        error instanceof StatementError ? recordGeneration() : undefined,
      )
      return response
    },
  }
}

/** The open transaction, which holds the connection until `release`. */
function openTransaction(
  engineClient: DatabaseEngineClient,
  session: DatabaseSession,
  limits: StatementTimeouts,
  release: () => void,
): DriverTransaction {
  let abandoned: DatabaseFailure | null = null
  const send = createTransactionSender(engineClient)
  const post = (
    text: string,
    values: readonly EncodedParameter[],
    prepared: StatementPreparationMode = false,
  ): Promise<StatementResult[]> =>
    send.statement({ kind: 'run', session, text, values, prepared }, computeStatementTimeout_ms(session, limits))
  const script = (text: string): Promise<StatementResult[]> =>
    send.statement({ kind: 'script', session, text, alone: false }, limits.script_ms)
  /** A transaction without a statement was never begun, so there is nothing to end. */
  const finish = async (text: 'commit' | 'rollback'): Promise<StatementResult[]> =>
    send.hasBegun() ? post(text, []) : []

  const idle = createIdleTimer(limits.statement_ms, () => {
    abandoned = new DatabaseFailure(
      'transaction-abandoned',
      `the transaction was idle for ${limits.statement_ms} ms and was rolled back; use only its tx inside a transaction`,
    )
    idle.end()
    void finish('rollback').catch(() => undefined)
    release()
  })
  const runActive = async <T>(run: () => Promise<T>): Promise<T> => {
    if (abandoned) throw abandoned
    return idle.during(run)
  }

  return {
    run: (text, values, prepared) => runActive(async () => (await post(text, values, prepared))[0] ?? emptyResult),
    script: (text) => runActive(() => script(text)),
    commit: async () => {
      if (abandoned) throw abandoned
      idle.end()
      try {
        const [result] = await finish('commit').catch(throwAsUnknownOutcome)
        if (result?.command === 'ROLLBACK') {
          throw new DatabaseFailure('transaction-rolled-back', 'an earlier statement failed, so the commit rolled back')
        }
      } finally {
        release()
      }
    },
    rollback: async () => {
      if (abandoned) return
      idle.end()
      await finish('rollback').catch(() => undefined)
      release()
    },
  }
}

/**
 * The single connection of the embedded database, shared fairly between organizations. A transaction holds the connection
 * from begin to end, and loses it if it is idle for longer than a statement may run.
 */
export function createEmbeddedDriver(engineClient: DatabaseEngineClient, limits: StatementTimeouts): DatabaseDriver {
  const scheduler = createConnectionScheduler({ ready_ms: () => engineClient.ready_ms })

  /** Holds the connection only until the request is sent: the thread keeps the order. */
  const inOrder = async (
    session: DatabaseSession,
    send: () => Promise<StatementResult[]>,
  ): Promise<StatementResult[]> => {
    const grant = await scheduler.acquire(session.organization, statementKindOf(session))
    const markAnswered = grant.markSent()
    const response = send().finally(markAnswered)
    grant.release()
    return response
  }

  const on = (session: DatabaseSession): StatementRunner => ({
    run: async (text, values, prepared: StatementPreparationMode = false) => {
      const work = { kind: 'run', session, text, values, prepared } as const
      const post = (): Promise<StatementResult[]> =>
        engineClient.post(work, { timeout_ms: computeStatementTimeout_ms(session, limits) })
      return (await inOrder(session, post))[0] ?? emptyResult
    },
    script: (text) =>
      inOrder(session, () =>
        engineClient.post({ kind: 'script', session, text, alone: true }, { timeout_ms: limits.script_ms }),
      ),
  })

  const begin = async (session: DatabaseSession): Promise<DriverTransaction> => {
    const { release } = await scheduler.acquire(session.organization, session.isBackground ? 'background' : 'statement')
    return openTransaction(engineClient, session, limits, release)
  }

  return { kind: 'embedded', queue_backend: 'pglite', on, begin, close: () => engineClient.close() }
}
