import type { OrganizationTime } from '../platform/clock.ts'
import type { TaskQueue } from '../platform/queue/queue.ts'
import type { SandboxRun, SandboxRunner } from './sandbox-run.ts'
import type { DueWork, TaskContext } from './task.ts'
import { createTaskContext, type TaskDependencies } from './task-definition.ts'

/** Work that is due again at once after this many rounds waits until the clock moves. */
const max_rounds = 100

export function createSandboxRunner({
  dependencies,
  queue,
  dueWork,
}: {
  readonly dependencies: TaskDependencies
  readonly queue: TaskQueue
  readonly dueWork: readonly DueWork[]
}): SandboxRunner {
  const { clock } = dependencies
  const nowOf = (organization: string): OrganizationTime => clock.forOrganization(organization).now()
  const contextOf = (organization: string, signal: AbortSignal): TaskContext => {
    const id = `sandbox:${nowOf(organization).toISOString()}`
    return createTaskContext(dependencies, queue, { id, name: 'sandbox', number: 0, last: false, organization, signal })
  }

  /** Runs the due tasks; returns how many, or null if it was stopped. */
  const runTasks = async ({ organization, signal, shouldContinue, onTask }: SandboxRun): Promise<number | null> => {
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
      if ((await runTasks(run)) === null) return false
      for (let round = 0; round < max_rounds; round++) {
        for (const work of dueWork) await work.runDue(context, clock.timesOf(run.organization))
        const count = await runTasks(run)
        if (count === null) return false
        if (count === 0) return true
      }
      return true
    },
    nextDue: async ({ organization, signal }) => {
      const context = contextOf(organization, signal)
      const now = nowOf(organization)
      const times = [await queue.nextSandboxTaskAt(organization, now)]
      for (const work of dueWork) times.push(await work.nextDue(context, organization, now))
      const earliest_ms = Math.min(...times.map((time) => time?.getTime() ?? Infinity))
      return Number.isFinite(earliest_ms) ? new Date(earliest_ms) : null
    },
  }
}
