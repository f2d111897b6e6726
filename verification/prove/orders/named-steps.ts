import { writeSync } from 'node:fs'
import {
  feasibilityStudyLifecycle,
  orderLifecycle,
  quotationLifecycle,
  taskingLifecycle,
} from '@swath/contract/lifecycles.ts'
import { taskStages } from '../../../packages/server/src/platform/integrations/tasking-host.ts'
import type {
  DatabaseDriver,
  DriverTransaction,
  StatementRunner,
} from '../../../packages/server/src/platform/database/driver.ts'

/** Whether the process dies before a step is durable, or right after it, before its events are handled. */
export type StepKillMoment = 'before' | 'after'

/** When the process is killed. */
export interface StepKiller {
  /** Null: steps pass. */
  moment: StepKillMoment | null
  /** Names of steps that pass. */
  readonly passed: Set<string>
}

/** Which statements are steps: those that write these tables, distinguished by the state that they write. */
export interface WatchedSteps {
  readonly tables: ReadonlySet<string>
  readonly states: ReadonlySet<string>
}

/** The tables in which an order, its money and its tasks at the host move, on our side and on that of the host. */
const orderTables = new Set([
  'order_status_changes',
  'tasking_status_changes',
  'tasking_decisions',
  'tasking_groups',
  'order_captures',
  'credit_holds',
  'credit_hold_resolutions',
  'constellation_tasks',
  'constellation_collects',
  'constellation_studies',
])

const orderStates: ReadonlySet<string> = new Set([
  ...orderLifecycle.states,
  ...taskingLifecycle.states,
  ...feasibilityStudyLifecycle.states,
  ...quotationLifecycle.states,
  ...taskStages,
])

export const orderSteps: WatchedSteps = { tables: orderTables, states: orderStates }

/** Such as "insert tasking_status_changes SCHEDULED"; null for a statement that is no step. */
function stepOf({ tables, states }: WatchedSteps, text: string, values: readonly (string | null)[]): string | null {
  const [, verb, table = ''] = /^\s*(insert into|update|delete from)\s+(\w+)/i.exec(text) ?? []
  if (verb === undefined || !tables.has(table)) return null
  // The new state is the last one of an insert, and the first one of an update.
  const named = values.filter((value) => value !== null && states.has(value))
  const state = verb.toLowerCase() === 'update' ? named[0] : named.at(-1)
  return [verb.split(' ')[0]!.toLowerCase(), table, ...(state ? [state] : [])].join(' ')
}

/** SIGKILL, without any cleanup; the parent reads the names of the steps. */
function killProcess(killed: readonly string[]): never {
  writeSync(1, `${JSON.stringify({ killed })}\n`)
  process.kill(process.pid, 'SIGKILL')
  for (;;);
}

/** Ends the process at a durable write if one of its steps has not been killed before. */
export async function makeDurable<T>(
  killer: StepKiller,
  steps: readonly string[],
  write: () => Promise<T>,
): Promise<T> {
  const remaining = killer.moment === null ? [] : steps.filter((name) => !killer.passed.has(name))
  if (remaining.length === 0) return write()
  if (killer.moment === 'after') await write()
  return killProcess(remaining)
}

const listSteps = (watched: WatchedSteps, text: string, values: readonly (string | null)[]): string[] => {
  const step = stepOf(watched, text, values)
  return step === null ? [] : [step]
}

const watchRunner = (runner: StatementRunner, killer: StepKiller, watched: WatchedSteps): StatementRunner => ({
  ...runner,
  run: (text, values, prepared) =>
    makeDurable(killer, listSteps(watched, text, values), () => runner.run(text, values, prepared)),
})

/** The steps of a transaction are durable with its commit. */
function watchTransaction(open: DriverTransaction, killer: StepKiller, watched: WatchedSteps): DriverTransaction {
  const steps: string[] = []
  return {
    ...open,
    run: (text, values, prepared) => {
      steps.push(...listSteps(watched, text, values))
      return open.run(text, values, prepared)
    },
    commit: () => makeDurable(killer, steps, () => open.commit()),
  }
}

/** Wraps a driver so that the process dies at each step that `killer` arms. */
export const killAtSteps = (driver: DatabaseDriver, killer: StepKiller, watched: WatchedSteps): DatabaseDriver => ({
  ...driver,
  on: (session) => watchRunner(driver.on(session), killer, watched),
  begin: async (session) => watchTransaction(await driver.begin(session), killer, watched),
})
