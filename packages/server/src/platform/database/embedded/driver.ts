import type { Driver, OpenTransaction, Outcome, Runner, Session, StatementLimits } from '../driver.ts'
import { statementLimit_ms } from '../driver.ts'
import { DatabaseFailure, StatementRefused } from '../failures.ts'
import type { Preparation } from '../sql.ts'
import type { WireValue } from '../values.ts'
import type { Bridge, Work } from './bridge.ts'
import { openTurns } from './turns.ts'

const none: Outcome = { rows: [], command: '' }

/** Calls `work` after each rest of `limit_ms` in which nothing ran. */
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

/** A commit that was cut short may have reached the disk or not. */
const doubtful = (error: unknown): never => {
  if (error instanceof DatabaseFailure && error.failure === 'statement-too-long') {
    throw new DatabaseFailure('outcome-unknown', 'the commit was cut short', error)
  }
  throw error
}

/** A number that no life of the thread has: whatever is posted for it is refused. */
const lost = -1

type StatementWork = Exclude<Work, { kind: 'close' }>

/**
 * Sends the statements of a transaction, which begins with the first of them: until that one is answered nobody knows in which life of
 * the thread it runs, so the others wait for it. Where the first one was lost with its thread, so is the transaction.
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

/** The open transaction that holds the connection until `release`. */
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
  /** Of a transaction without a statement there is nothing to end. */
  const finish = async (text: 'commit' | 'rollback'): Promise<Outcome[]> => (send.hasBegun() ? post(text, []) : [])

  const idle = openIdleWatch(limits.statement_ms, () => {
    abandoned = new DatabaseFailure(
      'transaction-abandoned',
      `the transaction waited ${limits.statement_ms} ms between two statements and was rolled back; inside it nothing but its tx may be used`,
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
          throw new DatabaseFailure(
            'transaction-rolled-back',
            'a statement was refused before, so the commit rolled back',
          )
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
 * The one connection of the embedded database. Organizations use it by turns; a transaction
 * holds the connection from its begin to its end, and loses it when it leaves it idle for as long as a statement may run.
 */
export function embeddedDriver(bridge: Bridge, limits: StatementLimits): Driver {
  const turns = openTurns()

  /** Holds the turn only until the request is on its way: the thread keeps the order. */
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
