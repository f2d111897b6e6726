import type { DbConnection, Tx } from '../database/database.ts'
import type { DueRowsQuery } from '../sandbox/due-rows.ts'
import { sql } from '../database/sql.ts'
import { isSandboxId } from '../ids.ts'
import type { EnqueueOptions, QueueLog, TaskDefinition } from './queue.ts'

/** A waiting task of a sandbox organization. */
interface SandboxTaskRow {
  readonly id: string
  readonly name: string
  readonly data: object
  readonly attempts: number
}

/** The sandbox organization whose task it is; null for tasks of other organizations and of none. */
export function findSandboxOfBackgroundTask(data: object): string | null {
  const { organization_id } = data as { readonly organization_id?: unknown }
  return typeof organization_id === 'string' && isSandboxId(organization_id) ? organization_id : null
}

/**
 * Adds a task of a sandbox organization. It waits in a table of its own until the clock of the sandbox is advanced, so that
 * tasks run one after the other, in the order of their due times and then of their creation.
 */
export async function enqueueSandboxTask(
  tx: Tx,
  task: { readonly organization: string; readonly id: string; readonly name: string; readonly data: object },
  { delay_ms = 0, singleton_key = task.id }: EnqueueOptions,
): Promise<void> {
  await tx.query(sql`
    insert into sandbox_tasks (organization_id, id, name, data, singleton_key, due_at)
    select organization_id, ${task.id}, ${task.name}, ${sql.json(task.data)}, ${singleton_key}, now + ${delay_ms / 1000} * interval '1 second'
    from sandboxes where organization_id = ${task.organization}
    on conflict (organization_id, name, singleton_key) do nothing`)
}

/** The rows of waiting tasks that fall due. */
export const dueSandboxTaskRows = (organization: string): DueRowsQuery => ({
  from: sql`sandbox_tasks`,
  where: sql`organization_id = ${organization}`,
  at: sql`due_at`,
})

async function findDueSandboxTask(db: DbConnection, organization: string, now: Date): Promise<SandboxTaskRow | null> {
  const [row] = await db.query<SandboxTaskRow>(sql`
    select id, name, data, attempts from sandbox_tasks
    where organization_id = ${organization} and due_at <= ${now} order by due_at, id limit 1`)
  return row ?? null
}

async function deleteSandboxTask(db: DbConnection, organization: string, id: string): Promise<void> {
  await db.query(sql`delete from sandbox_tasks where organization_id = ${organization} and id = ${id}`)
}

async function retrySandboxTaskAt(db: DbConnection, organization: string, id: string, at: Date): Promise<void> {
  await db.query(sql`
    update sandbox_tasks set attempts = attempts + 1, due_at = ${at}
    where organization_id = ${organization} and id = ${id}`)
}

/** Deletes all waiting tasks. */
export async function deleteSandboxQueueTasks(tx: Tx, organization: string): Promise<void> {
  await tx.query(sql`delete from sandbox_tasks where organization_id = ${organization}`)
}

const max_retry_delay_s = 24 * 3600

/** The delay before a failed task is retried, as in the queue of real organizations, but without jitter. */
const retryDelay_ms = ({ retry }: TaskDefinition, attempts: number): number =>
  Math.min(retry.backoff ? retry.delay_s * 2 ** attempts : retry.delay_s, max_retry_delay_s) * 1000

/** Runs the first due task of a sandbox organization; false if there is none. Throws only if `signal` is aborted. */
export async function runDueSandboxTask(
  {
    db,
    definitions,
    log,
  }: {
    readonly db: DbConnection
    readonly definitions: ReadonlyMap<string, TaskDefinition>
    readonly log: QueueLog | undefined
  },
  { organization, now, signal }: { readonly organization: string; readonly now: Date; readonly signal: AbortSignal },
): Promise<boolean> {
  const row = await findDueSandboxTask(db, organization, now)
  if (!row) return false
  const definition = definitions.get(row.name)
  const isLast = row.attempts >= (definition?.retry.limit ?? 0)
  try {
    if (!definition) throw new Error(`there is no task definition "${row.name}"`)
    const limited = AbortSignal.any([signal, AbortSignal.timeout(definition.retry.expire_s * 1000)])
    // A uuid, as in the queue of real organizations: a task may name its rows by it.
    const attempt = { id: row.id, number: row.attempts, last: isLast }
    await definition.run(row.data, limited, attempt)
  } catch (error) {
    // The task runs again as if this attempt had not started.
    signal.throwIfAborted()
    log?.warn({ error, task: row.name, organization_id: organization }, 'a task of a sandbox failed')
    if (definition && !isLast) {
      const at = new Date(now.getTime() + retryDelay_ms(definition, row.attempts))
      await retrySandboxTaskAt(db, organization, row.id, at)
      return true
    }
  }
  await deleteSandboxTask(db, organization, row.id)
  return true
}
