import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Task } from '../../../packages/server/src/engine/task.ts'
import type { Driver, OpenTransaction, Runner } from '../../../packages/server/src/platform/database/driver.ts'

/**
 * When the process kills itself: `before` a statement is sent (including begin and commit); while one is executed (`sent`:
 * its outcome is unknown); before the response is sent (`answer`); after it was `written`.
 */
export type Moment = 'before' | 'sent' | 'answer' | 'written'

export interface Plan {
  readonly moment: Moment
  /** The number of the statement, from 1; unused for responses. */
  readonly at: number
}

/** The statements of one call or task, including those of the embedded payment processor. */
interface Watch {
  readonly plan: Plan | null
  readonly steps: string[]
  over: boolean
}

const current = new AsyncLocalStorage<Watch>()
let last: readonly string[] = []

/** The statements of the last watched call or task. */
export const lastSteps = (): readonly string[] => last

/** SIGKILL, without any cleanup. */
const die = (): never => {
  process.kill(process.pid, 'SIGKILL')
  for (;;);
}

function step<T>(name: string, work: () => Promise<T>): Promise<T> {
  const watch = current.getStore()
  if (!watch || watch.over) return work()
  watch.steps.push(name)
  const { plan, steps } = watch
  if (plan === null || plan.at !== steps.length) return work()
  if (plan.moment === 'before') die()
  const answer = work()
  if (plan.moment === 'sent') setImmediate(die)
  return answer
}

const nameOf = (text: string): string => text.trim().replaceAll(/\s+/g, ' ').slice(0, 80)

const watched = ({ run, script }: Runner): Runner => ({
  run: (text, values, kept) => step(nameOf(text), () => run(text, values, kept)),
  script: (text) => step(nameOf(text), () => script(text)),
})

const watchedTransaction = (open: OpenTransaction): OpenTransaction => ({
  ...watched(open),
  commit: () => step('commit', () => open.commit()),
  rollback: () => step('rollback', () => open.rollback()),
})

/** Wraps a driver so that the process can be killed at every statement of a watched call. */
export const killable = (driver: Driver): Driver => ({
  ...driver,
  on: (session) => watched(driver.on(session)),
  begin: async (session) => watchedTransaction(await step('begin', () => driver.begin(session))),
})

function watch<T>(plan: Plan | null, work: (watch: Watch) => T): T {
  const watch: Watch = { plan, steps: [], over: false }
  return current.run(watch, () => work(watch))
}

function end(watch: Watch): void {
  watch.over = true
  last = watch.steps
}

/** Parses `before:12`, or `none` for a call whose statements are only counted; undefined if the request is not watched. */
function planOf(request: IncomingMessage): Plan | null | undefined {
  const header = request.headers['x-kill']
  if (typeof header !== 'string') return undefined
  const [moment, at] = header.split(':')
  return moment === 'none' ? null : { moment: moment as Moment, at: Number(at) }
}

/** Watches requests with the header `x-kill`, which contains the kill plan. */
export function watchRequests(server: Server): void {
  const emit = server.emit.bind(server) as (event: string, ...facts: unknown[]) => boolean
  server.emit = ((event: string, ...facts: unknown[]): boolean => {
    const plan = event === 'request' ? planOf(facts[0] as IncomingMessage) : undefined
    if (plan === undefined) return emit(event, ...facts)
    return watch(plan, (watching) => {
      const response = facts[1] as ServerResponse
      const finish = response.end.bind(response) as (...given: unknown[]) => ServerResponse
      response.end = ((...given: unknown[]) => {
        if (plan?.moment === 'answer') die()
        end(watching)
        return finish(...given)
      }) as typeof response.end
      if (plan?.moment === 'written') response.once('finish', die)
      return emit(event, ...facts)
    })
  }) as typeof server.emit
}

/** A task of an organization whose next run is watched. */
export interface Armed {
  readonly task: string
  readonly organization: string
  readonly plan: Plan | null
}

let armed: Armed | null = null

/** Sets the task to watch next; null for none. */
export const arm = (given: Armed | null): void => {
  armed = given
}

/** False once the armed task has completed. */
export const isArmed = (): boolean => armed !== null

/** Wraps the run functions of all tasks so that they can be watched. */
export function watchTasks(tasks: readonly Task[]): void {
  for (const task of tasks) {
    const { run } = task
    const watching: Task['run'] = async (job, data) => {
      const { organization_id } = data as { organization_id?: string }
      if (armed?.task !== task.name || armed.organization !== organization_id) return run(job, data)
      const { plan } = armed
      await watch(plan, async (watching) => {
        await run(job, data)
        end(watching)
      })
      arm(null)
    }
    Object.assign(task, { run: watching })
  }
}
