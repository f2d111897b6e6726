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

/**
 * The one connection of the embedded database. Statements outside a transaction are posted at once and answered in order; a transaction
 * holds the connection from its begin to its end, and loses it when it leaves it idle for as long as a statement may run.
 */
export function embeddedDriver(bridge: Bridge, limits: Limits): Driver {
  const turns = openTurns()

  /** Holds the turn only until the request is on its way: the thread keeps the order. */
  const inTurn = async <T>(send: () => Promise<T>): Promise<T> => {
    const release = await turns.take()
    try {
      return await releasing(send(), release)
    } finally {
      release()
    }
  }

  const on = (session: Session): Runner => ({
    run: async (text, values) =>
      (await inTurn(() => bridge.post({ kind: 'run', session, text, values }, { limit_ms: limits.statement_ms })))[0] ?? none,
    script: (text) => inTurn(() => bridge.post({ kind: 'script', session, text }, { limit_ms: limits.script_ms })),
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

  return { kind: 'embedded', on, begin, close: () => bridge.close() }
}

const releasing = <T>(answer: Promise<T>, release: () => void): Promise<T> => {
  release()
  return answer
}

function transactionOn(bridge: Bridge, session: Session, limits: Limits, release: () => void): OpenTransaction {
  const life = bridge.life()
  let abandoned: DatabaseFailure | null = null
  let idle: NodeJS.Timeout | undefined
  let running = 0

  const post = (text: string, values: readonly WireValue[]): Promise<Outcome[]> =>
    bridge.post({ kind: 'run', session, text, values }, { limit_ms: limits.statement_ms, life })

  const giveUp = (): void => {
    abandoned = new DatabaseFailure(
      'transaction-abandoned',
      `the transaction waited ${limits.statement_ms} ms between two statements and was rolled back; inside it nothing but its tx may be used`,
    )
    void post('rollback', []).catch(() => undefined)
    release()
  }
  const rest = (): void => {
    clearTimeout(idle)
    if (running === 0 && !abandoned) idle = setTimeout(giveUp, limits.statement_ms)
  }
  const during = async <T>(work: () => Promise<T>): Promise<T> => {
    if (abandoned) throw abandoned
    clearTimeout(idle)
    running += 1
    try {
      return await work()
    } finally {
      running -= 1
      rest()
    }
  }
  rest()

  const end = (): void => {
    clearTimeout(idle)
    release()
  }

  return {
    run: (text, values) => during(async () => (await post(text, values))[0] ?? none),
    script: (text) => during(() => bridge.post({ kind: 'script', session, text }, { limit_ms: limits.script_ms, life })),
    commit: async () => {
      if (abandoned) throw abandoned
      clearTimeout(idle)
      try {
        const [outcome] = await post('commit', [])
        if (outcome?.command === 'ROLLBACK') {
          throw new DatabaseFailure('transaction-rolled-back', 'a statement was refused before, so the commit rolled back')
        }
      } finally {
        end()
      }
    },
    rollback: async () => {
      if (abandoned) return
      clearTimeout(idle)
      await post('rollback', []).catch(() => undefined)
      end()
    },
  }
}
