import { toProcessClockTime, type OrganizationTime } from '../platform/clock.ts'
import { findDueTimes } from '../platform/sandbox/due-rows.ts'
import type { TaskQueue } from '../platform/queue/queue.ts'
import type { SandboxDueWorkOptions, SandboxWorkRunner } from './sandbox-run.ts'
import type { DueWork, TaskContext } from './task.ts'
import { createTaskContext, type TaskRunDependencies } from './task-definition.ts'

/** Work that is due again at once after this many rounds waits until the clock moves. */
const max_rounds = 200

/** The work that is due at the time of a sandbox, and when the next will be. */
interface Due {
  readonly has_tasks: boolean
  readonly works: readonly DueWork[]
  readonly next_due_at: Date | null
}

export function createSandboxWorkRunner({
  dependencies,
  queue,
  dueWork,
}: {
  readonly dependencies: TaskRunDependencies
  readonly queue: TaskQueue
  readonly dueWork: readonly DueWork[]
}): SandboxWorkRunner {
  const { clock, database } = dependencies
  const nowOf = (organization: string): OrganizationTime => clock.forOrganization(organization).now()
  const contextOf = (organization: string, signal: AbortSignal): TaskContext => {
    const id = `sandbox:${nowOf(organization).toISOString()}`
    return createTaskContext(dependencies, queue, { id, name: 'sandbox', number: 0, last: false, organization, signal })
  }

  /** Asks for tasks and all kinds of work in one statement, since the clock stops often and little is due at each stop. */
  const findDue = async (context: TaskContext, organization: string): Promise<Due> => {
    const rowsContext = { integrations: context.integrations, processTime: toProcessClockTime(clock.process) }
    const rows = dueWork.flatMap((work) =>
      work.dueRows(organization, rowsContext).map((dueRows) => ({ work, dueRows })),
    )
    const kinds = [queue.sandboxTaskRows(organization), ...rows.map(({ dueRows }) => dueRows)]
    const [tasks, ...found] = await findDueTimes(database.unscoped, kinds, nowOf(organization))
    const due = new Set(rows.filter((_row, index) => found[index]!.is_due).map(({ work }) => work))
    const next_ms = Math.min(...[tasks!, ...found].map(({ next_at }) => next_at?.getTime() ?? Infinity))
    return {
      has_tasks: tasks!.is_due,
      works: dueWork.filter((work) => due.has(work)),
      next_due_at: Number.isFinite(next_ms) ? new Date(next_ms) : null,
    }
  }

  /** Runs the due tasks; returns how many, or null if it was stopped. */
  const runTasks = async (run: SandboxDueWorkOptions): Promise<number | null> => {
    const { organization, signal, shouldContinue, onTask } = run
    for (let count = 0; ; count++) {
      signal.throwIfAborted()
      if (!shouldContinue()) return null
      await onTask()
      if (!(await queue.runDueSandboxTask({ organization, now: nowOf(organization), signal }))) return count
    }
  }

  return {
    runDue: async (run) => {
      const context = contextOf(run.organization, run.signal)
      // Work that is still due after it was done waits for the clock, unless a task has changed something since.
      const done = new Set<DueWork>()
      for (let round = 0; ; round++) {
        const { has_tasks, works, next_due_at } = await findDue(context, run.organization)
        const remaining = has_tasks ? [] : works.filter((work) => !done.has(work))
        if ((!has_tasks && remaining.length === 0) || round === max_rounds) return { next_due_at }
        for (const work of remaining) {
          done.add(work)
          await work.runDue(context, clock.timesOf(run.organization))
        }
        const count = await runTasks(run)
        if (count === null) return null
        if (count > 0) done.clear()
      }
    },
    findNextDue: async ({ organization, signal }) =>
      (await findDue(contextOf(organization, signal), organization)).next_due_at,
  }
}
