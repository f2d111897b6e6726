import type { Driver, OpenTransaction, Outcome, Runner, Session, StatementLimits } from '../driver.ts'
import { statementLimit_ms } from '../driver.ts'
import { DatabaseFailure, StatementRefused } from '../failures.ts'
import type { Preparation } from '../sql.ts'
import type { WireValue } from '../values.ts'
import type { Bridge, Work } from './bridge.ts'
import { openTurns } from './turns.ts'

const none: Outcome = { rows: [], command: '' }

/** Calls `work` after each period of `timeout_ms` in which nothing ran. */
function openIdleWatch(
  limit_ms: number,
  work: () => void,
): { during<T>(run: () => Promise<T>): Promise<T>; end(): void } {
  let running = 0
  let ended = false
  let timer: NodeJS.Timeout | undefined
  const rest = (): void => {
    clearTimeout(timer)
    if (running === 0 && !ended) timer = setTimeout(work, limit_ms)
  }
  rest()
  return {
    during: async (run) => {
      clearTimeout(timer)
      running += 1
      try {
        return await run()
      } finally {
        running -= 1
        rest()
      }
    },
    end: () => {
      ended = true
      clearTimeout(timer)
    },
  }
}

/** A commit that was interrupted may or may not have reached the disk. */
const doubtful = (error: unknown): never => {
  if (error instanceof DatabaseFailure && error.failure === 'statement-too-long') {
    throw new DatabaseFailure('outcome-unknown', 'the commit was interrupted', error)
  }
  throw error
}

/** A generation that no thread has: every request for it is rejected. */
const lost = -1

type StatementWork = Exclude<Work, { kind: 'close' }>

/**
 * Sends the statements of a transaction, which begins together with the first one. Until that one is answered, the thread
 * generation of the transaction is unknown, so the others wait for it. If the first statement was lost with its thread, so
 * is the transaction.
 */
function beginningWithFirst(bridge: Bridge): {
  statement(work: StatementWork, limit_ms: number): Promise<Outcome[]>
  hasBegun(): boolean
} {
  let first: Promise<void> | undefined
  let life = lost
  return {
    hasBegun: () => first !== undefined,
    statement: async (work, limit_ms) => {
      if (first) {
        await first
        return bridge.post({ ...work, begins: false }, { limit_ms, life })
      }
      const answer = bridge.post({ ...work, begins: true }, { limit_ms })
      const note = (): void => void (life = bridge.life)
      first = answer.then(note, (error: unknown) => (error instanceof StatementRefused ? note() : undefined))
      return answer
    },
  }
}

/** The open transaction, which holds the connection until `release`. */
function transactionOn(
  bridge: Bridge,
  session: Session,
  limits: StatementLimits,
  release: () => void,
): OpenTransaction {
  let abandoned: DatabaseFailure | null = null
  const send = beginningWithFirst(bridge)
  const post = (text: string, values: readonly WireValue[], kept: Preparation = false): Promise<Outcome[]> =>
    send.statement({ kind: 'run', session, text, values, kept }, statementLimit_ms(session, limits))
  const script = (text: string): Promise<Outcome[]> =>
    send.statement({ kind: 'script', session, text, alone: false }, limits.script_ms)
  /** A transaction without a statement was never begun, so there is nothing to end. */
  const finish = async (text: 'commit' | 'rollback'): Promise<Outcome[]> => (send.hasBegun() ? post(text, []) : [])

  const idle = openIdleWatch(limits.statement_ms, () => {
    abandoned = new DatabaseFailure(
      'transaction-abandoned',
      `the transaction was idle for ${limits.statement_ms} ms and was rolled back; use only its tx inside a transaction`,
    )
    idle.end()
    void finish('rollback').catch(() => undefined)
    release()
  })
  const during = async <T>(run: () => Promise<T>): Promise<T> => {
    if (abandoned) throw abandoned
    return idle.during(run)
  }

  return {
    run: (text, values, kept) => during(async () => (await post(text, values, kept))[0] ?? none),
    script: (text) => during(() => script(text)),
    commit: async () => {
      if (abandoned) throw abandoned
      idle.end()
      try {
        const [outcome] = await finish('commit').catch(doubtful)
        if (outcome?.command === 'ROLLBACK') {
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
export function embeddedDriver(bridge: Bridge, limits: StatementLimits): Driver {
  const turns = openTurns()

  /** Holds the connection only until the request is sent: the thread keeps the order. */
  const inTurn = async (session: Session, send: () => Promise<Outcome[]>): Promise<Outcome[]> => {
    const turn = await turns.take(session.organization, session.isSearch ? 'search' : 'statement')
    const answered = turn.sent()
    const answer = send().finally(answered)
    turn.release()
    return answer
  }

  const on = (session: Session): Runner => ({
    run: async (text, values, kept: Preparation = false) => {
      const work = { kind: 'run', session, text, values, kept } as const
      const post = (): Promise<Outcome[]> => bridge.post(work, { limit_ms: statementLimit_ms(session, limits) })
      return (await inTurn(session, post))[0] ?? none
    },
    script: (text) =>
      inTurn(session, () =>
        bridge.post({ kind: 'script', session, text, alone: true }, { limit_ms: limits.script_ms }),
      ),
  })

  const begin = async (session: Session): Promise<OpenTransaction> => {
    const { release } = await turns.take(session.organization)
    return transactionOn(bridge, session, limits, release)
  }

  return { kind: 'embedded', queue_backend: 'pglite', on, begin, close: () => bridge.close() }
}
