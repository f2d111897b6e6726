import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { BackgroundTask } from '../../../packages/server/src/engine/task.ts'
import type { DatabaseDriver } from '../../../packages/server/src/platform/database/driver.ts'
import { killProcess, watchDriver } from '../harness/kill-points.ts'

/**
 * When the process kills itself: `before` a statement is sent (including begin and commit); while one is executed (`sent`:
 * its outcome is unknown); before the response is sent (`answer`); after it was `written`.
 */
export type KillMoment = 'before' | 'sent' | 'answer' | 'written'

export interface KillPlan {
  readonly moment: KillMoment
  /** The number of the statement, from 1; unused for responses. */
  readonly at: number
}

/** The statements of one call or task, including those of the embedded payment processor. */
interface StatementWatch {
  readonly plan: KillPlan | null
  readonly statements: string[]
  isOver: boolean
}

const current = new AsyncLocalStorage<StatementWatch>()
let lastStatements: readonly string[] = []

/** The statements of the last watched call or task. */
export const getLastStatements = (): readonly string[] => lastStatements

function watchStatement<T>(name: string, work: () => Promise<T>): Promise<T> {
  const watch = current.getStore()
  if (!watch || watch.isOver) return work()
  watch.statements.push(name)
  const { plan, statements } = watch
  if (plan === null || plan.at !== statements.length) return work()
  if (plan.moment === 'before') killProcess()
  const result = work()
  if (plan.moment === 'sent') setImmediate(killProcess)
  return result
}

const nameOf = (text: string): string => text.trim().replaceAll(/\s+/g, ' ').slice(0, 80)

/** Wraps a driver so that the process can be killed at every statement of a watched call. */
export const createKillableDriver = (driver: DatabaseDriver): DatabaseDriver =>
  watchDriver(driver, ({ text }, run) => watchStatement(nameOf(text), run))

function watch<T>(plan: KillPlan | null, work: (watch: StatementWatch) => T): T {
  const watch: StatementWatch = { plan, statements: [], isOver: false }
  return current.run(watch, () => work(watch))
}

function endWatch(watch: StatementWatch): void {
  watch.isOver = true
  lastStatements = watch.statements
}

/** Parses `before:12`, or `none` for a call whose statements are only counted; undefined if the request is not watched. */
function readPlan(request: IncomingMessage): KillPlan | null | undefined {
  const header = request.headers['x-kill']
  if (typeof header !== 'string') return undefined
  const [moment, at] = header.split(':')
  return moment === 'none' ? null : { moment: moment as KillMoment, at: Number(at) }
}

/** Watches requests with the header `x-kill`, which contains the kill plan. */
export function watchRequests(server: Server): void {
  const emit = server.emit.bind(server) as (event: string, ...args: unknown[]) => boolean
  server.emit = ((event: string, ...args: unknown[]): boolean => {
    const plan = event === 'request' ? readPlan(args[0] as IncomingMessage) : undefined
    if (plan === undefined) return emit(event, ...args)
    return watch(plan, (watching) => {
      const response = args[1] as ServerResponse
      const endResponse = response.end.bind(response) as (...nextTask: unknown[]) => ServerResponse
      response.end = ((...nextTask: unknown[]) => {
        if (plan?.moment === 'answer') killProcess()
        endWatch(watching)
        return endResponse(...nextTask)
      }) as typeof response.end
      if (plan?.moment === 'written') response.once('finish', killProcess)
      return emit(event, ...args)
    })
  }) as typeof server.emit
}

/** A task of an organization whose next run is watched. */
export interface ArmedTask {
  readonly task: string
  readonly organization: string
  readonly plan: KillPlan | null
}

let armedTask: ArmedTask | null = null

/** Sets the task to watch next; null for none. */
export const armTask = (nextTask: ArmedTask | null): void => {
  armedTask = nextTask
}

/** False once the armed task has completed. */
export const isArmed = (): boolean => armedTask !== null

/** Wraps the run functions of all tasks so that they can be watched. */
export function watchTasks(tasks: readonly BackgroundTask[]): void {
  for (const task of tasks) {
    const { run } = task
    const watching: BackgroundTask['run'] = async (context, data) => {
      const { organization_id } = data as { organization_id?: string }
      if (armedTask?.task !== task.name || armedTask.organization !== organization_id) return run(context, data)
      const { plan } = armedTask
      await watch(plan, async (watching) => {
        await run(context, data)
        endWatch(watching)
      })
      armTask(null)
    }
    Object.assign(task, { run: watching })
  }
}
