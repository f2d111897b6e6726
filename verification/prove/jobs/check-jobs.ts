import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { backgroundTaskTypes } from '../../../packages/server/src/engine/task-types.ts'
import type { Database } from '../../../packages/server/src/platform/database/database.ts'
import { sql } from '../../../packages/server/src/platform/database/sql.ts'
import {
  findLedgerViolations,
  findViolations,
  openHoldRule,
  openStoppedDatabase,
  type Rule,
  type StoppedServer,
} from '../harness/rules.ts'

/** Invariants after all jobs have ended; each row that a statement returns is a violation. */
const jobRules: readonly Rule[] = [
  ['a job has not ended', sql`select id from processing_jobs where status not in ('completed', 'failed', 'cancelled')`],
  [
    'the settlement of a job is not that of its outcome',
    sql`select id from processing_jobs where (status = 'completed') <> (settlement = 'captured')`,
  ],
  [
    'the hold of a job is not resolved as the job says',
    sql`select j.id from processing_jobs j
        left join credit_hold_resolutions r on r.organization_id = j.organization_id and r.hold_id = j.hold_id
        where j.hold_id is not null and (r.hold_id is null or r.settled_credits <> j.captured_credits)`,
  ],
  openHoldRule('job'),
  [
    'the items of a completed job are not those that it planned',
    sql`select j.id from processing_jobs j
        where j.reused_job_id is null and j.item_ids <> case when j.status = 'completed'
          then (select array_agg((p ->> 'id')::uuid) from jsonb_array_elements(j.plan -> 'items') p) else '{}' end`,
  ],
  [
    'an item of a job does not exist, or a job without a result has an item',
    sql`select j.id from processing_jobs j
        where (select count(*) from items i where i.organization_id = j.organization_id and i.job_id = j.id)
          <> case when j.reused_job_id is null then cardinality(j.item_ids) else 0 end`,
  ],
  [
    'a job has not exactly one event of its creation and of its end',
    sql`select j.id from processing_jobs j
        where (select count(*) from events e where e.organization_id = j.organization_id and e.entity_id = j.id::text
            and e.kind = 'job.created') <> 1
          or (select count(*) from events e where e.organization_id = j.organization_id and e.entity_id = j.id::text
            and e.kind in ('job.captured', 'job.released')) <> 1`,
  ],
]

/**
 * Makes the cleanings due that wait until no other worker can store files any more, minutes after the end of a job. A server
 * that was killed while it stored files of a cancelled job leaves them to this cleaning.
 */
export async function makeCleaningsDue(server: StoppedServer): Promise<void> {
  await using database = await openStoppedDatabase(server)
  await database.unscoped.query(sql`
    update boss.job set start_after = now() where name = ${backgroundTaskTypes.cleanJob.name} and state < 'active'`)
}

/** Checks jobs, ledger and stored files of the stopped server. */
export async function checkStoppedJobs(server: StoppedServer): Promise<string[]> {
  await using database = await openStoppedDatabase(server)
  const { unscoped } = database
  const violations = [...(await findLedgerViolations(unscoped)), ...(await findViolations(unscoped, jobRules))]
  return [...violations, ...(await findLostFiles(database, server.data_dir))]
}

/** Files of items in blob storage that no asset refers to. */
async function findLostFiles(database: Database, data_dir: string): Promise<string[]> {
  const rows = await database.unscoped.query<{ blob_path: string }>(
    sql`select distinct blob_path from assets where blob_path is not null`,
  )
  const known = new Set(rows.map(({ blob_path }) => blob_path))
  const files = await readdir(data_dir, { recursive: true, withFileTypes: true })
  const lost = files
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).replaceAll('\\', '/'))
    .flatMap(
      (path) => /organizations\/[^/]+\/(?:items|jobs)\/.+\.(?:tif|jpg|png|pgw|zip|geojson)/.exec(path)?.[0] ?? [],
    )
    .filter((path) => !known.has(path))
  if (lost.length === 0) return []
  return [`${lost.length} files belong to no asset, such as ${lost[0]}: ${await describeJobOf(database, lost[0]!)}`]
}

/** The job that planned the item of a file, and its cleanings: what tells a missing cleaning from one that failed. */
async function describeJobOf(database: Database, path: string): Promise<string> {
  const item = /items\/([^/]+)/.exec(path)?.[1] ?? ''
  const rows = await database.unscoped.query(sql`
    select j.id, j.status, j.attempt, (
        select array_agg(t.state || ' after ' || t.retry_count || ' retries, from ' || t.start_after) from boss.job t
        where t.name = ${backgroundTaskTypes.cleanJob.name} and t.data ->> 'job_id' = j.id::text
      ) as cleanings
    from processing_jobs j
    where exists (select 1 from jsonb_array_elements(j.plan -> 'items') p where p ->> 'id' = ${item})`)
  return JSON.stringify(rows)
}
