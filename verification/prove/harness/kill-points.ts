import { writeSync } from 'node:fs'
import type { DatabaseDriver, StatementRunner } from '../../../packages/server/src/platform/database/driver.ts'
import type { EncodedParameter } from '../../../packages/server/src/platform/database/values.ts'

/** A statement on its way to the database. */
interface WatchedStatement {
  /** `begin`, `commit` and `rollback` for those of the driver itself. */
  readonly text: string
  readonly values: readonly EncodedParameter[]
  /** The same for all statements of a transaction; null outside of one. */
  readonly transaction: object | null
}

type WatchStatement = <T>(statement: WatchedStatement, run: () => Promise<T>) => Promise<T>

/** Wraps a driver: each statement is run by `watch`, where the process can be killed. */
export function watchDriver(driver: DatabaseDriver, watch: WatchStatement): DatabaseDriver {
  const watchRunner = (runner: StatementRunner, transaction: object | null): StatementRunner => ({
    run: (text, values, prepared) => watch({ text, values, transaction }, () => runner.run(text, values, prepared)),
    script: (text) => watch({ text, values: [], transaction }, () => runner.script(text)),
  })
  const control = <T>(text: string, transaction: object | null, run: () => Promise<T>): Promise<T> =>
    watch({ text, values: [], transaction }, run)
  return {
    ...driver,
    on: (session) => watchRunner(driver.on(session), null),
    begin: async (session) => {
      const open = await control('begin', null, () => driver.begin(session))
      return {
        ...watchRunner(open, open),
        commit: () => control('commit', open, () => open.commit()),
        rollback: () => control('rollback', open, () => open.rollback()),
      }
    },
  }
}

/** SIGKILL, without any cleanup; the parent reads the names of the steps. */
export function killProcess(killed: readonly string[] = []): never {
  if (killed.length > 0) writeSync(1, `${JSON.stringify({ killed })}\n`)
  process.kill(process.pid, 'SIGKILL')
  for (;;);
}

/** Whether the process dies before a step is durable, or right after it, before its events are handled. */
export type StepKillMoment = 'before' | 'after'

/** When the process is killed. */
export interface StepKiller {
  /** Null: steps pass. */
  moment: StepKillMoment | null
  /** Names of steps that pass. */
  passed: ReadonlySet<string>
}

/** Which statements are steps: those that write these tables, distinguished by the state that they write. */
export interface WatchedSteps {
  readonly tables: ReadonlySet<string>
  readonly states: ReadonlySet<string>
}

/** Such as "insert tasking_status_changes SCHEDULED"; none for a statement that is no step. */
function listSteps({ tables, states }: WatchedSteps, { text, values }: WatchedStatement): string[] {
  const [, verb, table = ''] = /^\s*(insert into|update|delete from)\s+(\w+)/i.exec(text) ?? []
  if (verb === undefined || !tables.has(table)) return []
  // The new state is the last one of an insert, and the first one of an update.
  const named = values.filter((value) => typeof value === 'string' && states.has(value))
  const state = verb.toLowerCase() === 'update' ? named[0] : named.at(-1)
  return [[verb.split(' ')[0]!.toLowerCase(), table, ...(state ? [state] : [])].join(' ')]
}

/** Ends the process at a durable write if one of its steps has not been killed before. */
export async function makeDurable<T>(
  { moment, passed }: StepKiller,
  steps: readonly string[],
  write: () => Promise<T>,
): Promise<T> {
  const remaining = moment === null ? [] : steps.filter((name) => !passed.has(name))
  if (remaining.length === 0) return write()
  if (moment === 'after') await write()
  return killProcess(remaining)
}

/** Wraps a driver so that the process dies at each step that `killer` arms; those of a transaction are durable with its commit. */
export function killAtSteps(driver: DatabaseDriver, killer: StepKiller, watched: WatchedSteps): DatabaseDriver {
  const pending = new WeakMap<object, string[]>()
  return watchDriver(driver, (statement, run) => {
    const { text, transaction } = statement
    if (transaction === null) return makeDurable(killer, listSteps(watched, statement), run)
    const steps = pending.get(transaction) ?? []
    pending.set(transaction, steps)
    if (text === 'commit') return makeDurable(killer, steps, run)
    steps.push(...listSteps(watched, statement))
    return run()
  })
}
