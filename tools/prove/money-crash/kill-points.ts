import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Task } from '../../../packages/server/src/engine/task.ts'
import type { Driver, OpenTransaction, Runner } from '../../../packages/server/src/platform/database/driver.ts'

/**
 * When the process kills itself. `before` a statement is sent, begins and commits among them; while one is under way
 * (`sent`: nobody knows whether it counts); before the `answer` to the caller leaves; when it is `written`.
 */
export type Moment = 'before' | 'sent' | 'answer' | 'written'

export interface Plan {
  readonly moment: Moment
  /** The number of the statement, from 1 on; of no meaning for answers. */
  readonly at: number
}

/** What one call, or one task, asks of the database: everything it does that lasts, the processor's books among it. */
interface Watch {
  readonly plan: Plan | null
  readonly steps: string[]
  over: boolean
}

const current = new AsyncLocalStorage<Watch>()
let last: readonly string[] = []

/** The statements of what was watched last, from the first to the one that ended it. */
export const lastSteps = (): readonly string[] => last

/** No chance to tidy up. */
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

/** The same driver, at every statement of which a watched call may be killed. */
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

/** `before:12`, or `none` for a call that is only counted; undefined where a request is not watched. */
function planOf(request: IncomingMessage): Plan | null | undefined {
  const header = request.headers['x-kill']
  if (typeof header !== 'string') return undefined
  const [moment, at] = header.split(':')
  return moment === 'none' ? null : { moment: moment as Moment, at: Number(at) }
}

/** Requests with the header `x-kill` are watched, and killed where it says so. */
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

/** The next run of a kind of work for an organization is watched. */
export interface Armed {
  readonly task: string
  readonly organization: string
  readonly plan: Plan | null
}

let armed: Armed | null = null

/** What is to be watched next; null: nothing any more. */
export const arm = (given: Armed | null): void => {
  armed = given
}

/** Tells whether what was armed has run to its end. */
export const isArmed = (): boolean => armed !== null

/** Lets the runs of all kinds of work be watched. */
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
