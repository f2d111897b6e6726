import type { Driver, OpenTransaction, Outcome, Runner, Session } from '../driver.ts'
import { DatabaseFailure } from '../failures.ts'
import type { WireValue } from '../values.ts'
import type { Bridge } from './bridge.ts'
import { openTurns } from './turns.ts'

const none: Outcome = { rows: [], command: '' }

export interface Limits {
  readonly statement_ms: number
  /** Scripts, migrations and upkeep may take longer. */
  readonly script_ms: number
}

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

/** The open transaction that holds the connection until `release`. */
function transactionOn(bridge: Bridge, session: Session, limits: Limits, release: () => void): OpenTransaction {
  const { life } = bridge
  let abandoned: DatabaseFailure | null = null
  const post = (text: string, values: readonly WireValue[], kept = false): Promise<Outcome[]> =>
    bridge.post({ kind: 'run', session, text, values, kept }, { limit_ms: limits.statement_ms, life })

  const idle = openIdleWatch(limits.statement_ms, () => {
    abandoned = new DatabaseFailure(
      'transaction-abandoned',
      `the transaction waited ${limits.statement_ms} ms between two statements and was rolled back; inside it nothing but its tx may be used`,
    )
    idle.end()
    void post('rollback', []).catch(() => undefined)
    release()
  })
  const during = async <T>(run: () => Promise<T>): Promise<T> => {
    if (abandoned) throw abandoned
    return idle.during(run)
  }

  return {
    run: (text, values, kept) => during(async () => (await post(text, values, kept))[0] ?? none),
    script: (text) =>
      during(() => bridge.post({ kind: 'script', session, text, alone: false }, { limit_ms: limits.script_ms, life })),
    commit: async () => {
      if (abandoned) throw abandoned
      idle.end()
      try {
        const [outcome] = await post('commit', []).catch(doubtful)
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
      await post('rollback', []).catch(() => undefined)
      release()
    },
  }
}

/**
 * The one connection of the embedded database. Statements outside a transaction are posted at once and answered in order; a transaction
 * holds the connection from its begin to its end, and loses it when it leaves it idle for as long as a statement may run.
 */
export function embeddedDriver(bridge: Bridge, limits: Limits): Driver {
  const turns = openTurns()

  /** Holds the turn only until the request is on its way: the thread keeps the order. */
  const inTurn = async (send: () => Promise<Outcome[]>): Promise<Outcome[]> => {
    const release = await turns.take()
    const answer = send()
    release()
    return answer
  }

  const on = (session: Session): Runner => ({
    run: async (text, values, kept = false) => {
      const work = { kind: 'run', session, text, values, kept } as const
      return (await inTurn(() => bridge.post(work, { limit_ms: limits.statement_ms })))[0] ?? none
    },
    script: (text) =>
      inTurn(() => bridge.post({ kind: 'script', session, text, alone: true }, { limit_ms: limits.script_ms })),
  })

  const begin = async (session: Session): Promise<OpenTransaction> => {
    const release = await turns.take()
    try {
      await bridge.post({ kind: 'run', session, text: 'begin', values: [] }, { limit_ms: limits.statement_ms })
    } catch (error) {
      release()
      throw error
    }
    return transactionOn(bridge, session, limits, release)
  }

  return { kind: 'embedded', queue_backend: 'pglite', on, begin, close: () => bridge.close() }
}
