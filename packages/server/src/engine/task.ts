import type { Static, TObject } from 'typebox'
import { Compile } from 'typebox/compile'
import type { OrganizationClocks, OrganizationCurrentTimes, ProcessClockTime } from '../platform/clock.ts'
import type { Database } from '../platform/database/database.ts'
import type { DueRowsQuery } from '../platform/sandbox/due-rows.ts'
import type { Logger } from '../platform/log.ts'
import type { Integrations } from '../platform/integrations/integrations.ts'
import type { RetryPolicy } from '../platform/queue/queue.ts'
import type { Actor } from './actor.ts'
import type { Principal, SharedServices } from './call.ts'
import type { BackgroundTaskType } from './task-types.ts'

/** The context of a task run. It opens its own connection: `context.database.forOrganization(organization)`. */
export interface TaskContext extends SharedServices {
  readonly id: string
  readonly taskName: string
  /** The service principal; events and provenance are attributed to it. */
  readonly principal: Principal
  readonly database: Database
  readonly clock: OrganizationClocks
  readonly log: Logger
  readonly signal: AbortSignal
  /** 0 for the first attempt. */
  readonly attempt: number
  /** True if no further attempt follows a failure of this one. */
  readonly isLastAttempt: boolean
}

/** Background work of one kind; `run` validates its data. */
export interface BackgroundTask {
  readonly name: string
  readonly retry: RetryPolicy
  run(context: TaskContext, data: unknown): Promise<void>
}

/** Declares background work; its data is validated like the input of an operation. */
export function defineTask<Data extends TObject>(
  { name, schema }: BackgroundTaskType<Data>,
  retry: RetryPolicy,
  run: (context: TaskContext, data: Static<Data>) => Promise<void>,
): BackgroundTask {
  const validator = Compile(schema)
  return {
    name,
    retry,
    run: async (context, value) => {
      if (!validator.Check(value)) throw new Error(`the data of task ${name} does not match its schema`)
      await run(context, value as Static<Data>)
    },
  }
}

/** The service principal acting in one organization, as events, provenance and the ledger record it. */
export const createTaskActor = (
  context: TaskContext,
  organization: string,
): Actor & Pick<TaskContext, 'seller' | 'quotas'> => ({
  organization,
  principal: context.principal,
  clock: context.clock.forOrganization(organization),
  operation: context.taskName,
  requestId: context.id,
  queue: context.queue,
  seller: context.seller,
  quotas: context.quotas,
})

export interface DueRowsQueryContext {
  readonly integrations: Integrations
  /** Work whose lease has not ended is not due, whatever the time of the organization. */
  readonly processTime: ProcessClockTime
}

/**
 * Work that falls due by time: a periodic task does it for all organizations but sandboxes, and the clock of a sandbox stops
 * at each of its due times to do it for that organization alone.
 */
export interface DueWork {
  readonly name: string
  /** The rows of an organization that fall due, with their times. Those that `runDue` works on are among them. */
  dueRows(organization: string, context: DueRowsQueryContext): readonly DueRowsQuery[]
  /** Runs or enqueues what is due at these times. */
  runDue(context: TaskContext, times: OrganizationCurrentTimes): Promise<void>
}

/** The periodic task of due work. */
export const defineSweep = (
  type: BackgroundTaskType,
  retry: RetryPolicy,
  { runDue }: Pick<DueWork, 'runDue'>,
): BackgroundTask => defineTask(type, retry, (context) => runDue(context, context.clock.times()))

/** Releases work that workers had claimed, at the start of the only process of a database: all of them have ended. */
export type WorkRecovery = (database: Database) => Promise<void>

/** The contributions of a module besides operations: its tasks, its due work, and recovery after a killed process. */
export interface Module {
  readonly tasks: readonly BackgroundTask[]
  readonly dueWork?: readonly DueWork[]
  readonly recover?: WorkRecovery
}
