import type { Job, PgBoss } from 'pg-boss'
import { monotonic_ms } from '../clock.ts'
import type { Database } from '../database/database.ts'
import { sql } from '../database/sql.ts'

/** The group of tasks of no organization. */
export const platformTaskGroup = 'platform'

/** The organization of a task, as pg-boss stores it: the tasks of one organization are a group. */
export function findTaskGroup(data: object): string {
  const { organization_id } = data as { readonly organization_id?: unknown }
  return typeof organization_id === 'string' && organization_id !== '' ? organization_id : platformTaskGroup
}

/** Adds the group to tasks of earlier versions, which stored none; those that another process has locked get it there. */
export async function addMissingTaskGroups(database: Database): Promise<void> {
  await database.unscoped.query(sql`
    update boss.job j set group_id = coalesce(nullif(j.data ->> 'organization_id', ''), ${platformTaskGroup})
    from (select name, id from boss.job where state < 'completed' and group_id is null for update skip locked) as missing
    where j.name = missing.name and j.id = missing.id`)
}

/** Without others, a group is served again without looking for others for this time. */
const recheck_interval_ms = 250

export interface FairTaskFetch {
  /** The groups whose tasks stay in the queue. */
  readonly listFullGroups: () => string[]
  /** True if another task can be fetched right after this one, so that the order does not matter. */
  readonly hasFree: () => boolean
  readonly now_ms?: () => number
}

/**
 * Returns a function that fetches the next task of a kind, or null. While there are more tasks than slots, groups are
 * served in rounds, each once in a round: thousands of tasks of one delay those of another by one task.
 */
export function createFairTaskFetch(
  boss: Pick<PgBoss, 'fetch'>,
  task: string,
  { listFullGroups, hasFree, now_ms = monotonic_ms }: FairTaskFetch,
): () => Promise<Job<object> | null> {
  const served = new Set<string>()
  let recheck_ms = Number.NEGATIVE_INFINITY
  const fetchWithout = async (ignoreGroups: string[]): Promise<Job<object> | null> => {
    const [job] = await boss.fetch<object>(task, { batchSize: 1, ignoreGroups })
    if (job) served.add(findTaskGroup(job.data))
    return job ?? null
  }
  return async () => {
    if (hasFree()) served.clear()
    if (served.size > 0 && now_ms() >= recheck_ms) {
      const job = await fetchWithout([...listFullGroups(), ...served])
      if (job) return job
      served.clear()
      recheck_ms = now_ms() + recheck_interval_ms
    }
    return fetchWithout(listFullGroups())
  }
}
