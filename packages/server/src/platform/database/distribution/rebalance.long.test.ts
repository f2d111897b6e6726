import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { listCitusNodes, skipOnCitus } from '../../../../test/citus/cluster.ts'
import { openTestDatabase } from '../../../../test/database.ts'
import type { Database } from '../database.ts'
import { DatabaseFailure } from '../failures.ts'
import { getSchemaOwnerConnection } from '../raw.ts'
import { sql } from '../sql.ts'
import { findRunningRebalance, rebalanceShards } from './rebalance.ts'

/**
 * The functions and tables of Citus that a rebalance uses, for one distributed table: the next rebalance has as many tries
 * as `next_tries` says, or nothing to do. On a cluster `npm run prove -- citus` moves shards.
 */
const citusStandIn = `
  create table pg_dist_partition (logicalrelid regclass primary key);
  insert into pg_dist_partition values ('projects');
  create table pg_dist_background_job (job_id bigint generated always as identity, job_type text, state text);
  create table pg_dist_background_task (job_id bigint, status text, retry_count integer, message text);
  create table next_rebalance (tries integer, refused text not null default '');
  create table seen (is_forced boolean, node_property text);
  create function run_command_on_all_nodes(command text) returns table (nodeid integer, success boolean, result text)
  language sql as $$ select 1, true, case when command like '%datestyle%' then 'ISO, MDY' when command like '%jit%' then 'off' else 'UTC' end $$;
  create function citus_set_node_property(host text, port integer, property text, value boolean) returns void
  language sql as $$ insert into seen (node_property) values (concat_ws(' ', host, port, property, value)) $$;
  create function citus_rebalance_start(drain_only boolean, shard_transfer_mode text) returns bigint language plpgsql as $$
  declare id bigint; failed integer := (select tries from next_rebalance);
  begin
    insert into seen (is_forced) select relforcerowsecurity from pg_class where oid = 'projects'::regclass;
    if failed is null then return null; end if;
    insert into pg_dist_background_job (job_type, state)
      values ('rebalance', case failed when 0 then 'finished' else 'running' end) returning job_id into id;
    insert into pg_dist_background_task values
      (id, 'done', null, null), (id, case failed when 0 then 'done' else 'runnable' end, failed, 'ERROR: no space left');
    return id;
  end $$;
  create function run_command_on_shards(table_name regclass, command text) returns table (shardid bigint, success boolean, result text)
  language sql as $$ select 102008::bigint, command not like (select refused from next_rebalance), 'no answer' $$;
  create function citus_job_cancel(id bigint) returns void
  language sql as $$ update pg_dist_background_job set state = 'cancelled' where job_id = id $$;`

let database: Database
before(async () => {
  database = await openTestDatabase()
  if (listCitusNodes() === null) await database.runScript(citusStandIn)
})
after(() => database?.close())

const owner = () => getSchemaOwnerConnection(database)

async function isForced(): Promise<boolean> {
  const [row] = await owner().query<{ forced: boolean }>(
    sql`select relforcerowsecurity as forced from pg_class where oid = 'projects'::regclass`,
  )
  return row!.forced
}

/**
 * Rebalances with a job that needs so many tries; null: nothing is to be moved. Shards refuse commands like `refused`.
 * Returns what it has set and seen.
 */
async function rebalance(tries: number | null, drained: string | null = null, refused: string = ''): Promise<object[]> {
  await database.runScript(
    `truncate seen, next_rebalance; insert into next_rebalance values (${tries ?? 'null'}, '${refused}')`,
  )
  await rebalanceShards(database, { drained })
  return owner().query(sql`select is_forced, node_property from seen`)
}

const onStandIn = skipOnCitus('it has stand-ins of the functions of Citus')

test('the policies hold for the owner before and after shards are moved, and not meanwhile', onStandIn, async () => {
  assert.equal(await isForced(), true)
  assert.deepEqual(await rebalance(0), [{ is_forced: false, node_property: null }])
  assert.equal(await isForced(), true)
  assert.deepEqual(await rebalance(null, 'db3.internal:5432'), [
    { is_forced: null, node_property: 'db3.internal 5432 shouldhaveshards f' },
    { is_forced: false, node_property: null },
  ])
  assert.equal(await isForced(), true)
})

test(
  'a move that fails three times ends the rebalance with its message, and nothing moves afterwards',
  onStandIn,
  async () => {
    await assert.rejects(
      rebalance(3),
      (error) =>
        error instanceof DatabaseFailure &&
        error.failure === 'distribution-refused' &&
        /not moved: ERROR: no space left/.test(error.message),
    )
    assert.equal(await findRunningRebalance(owner()), null)
    assert.equal(await isForced(), true)
  },
)

test('a rebalance that is running is continued, and one that is stopped is cancelled', onStandIn, async () => {
  await database.runScript(`insert into pg_dist_background_job (job_type, state) values ('rebalance', 'running')`)
  const running = await findRunningRebalance(owner())
  await database.runScript(`insert into pg_dist_background_task values (${running}, 'runnable', null, null)`)
  const progress: string[] = []
  const stop = new AbortController()
  const work = rebalanceShards(database, {
    drained: null,
    onProgress: ({ state }) => {
      progress.push(state)
      stop.abort(new Error('stopped'))
    },
    signal: stop.signal,
  })
  await assert.rejects(work, /stopped|aborted/)
  const jobs = await owner().query(
    sql`select job_id::integer as id, state from pg_dist_background_job where state = 'cancelled'`,
  )
  assert.ok(jobs.some((job) => (job as { id: number }).id === running))
  assert.equal(await isForced(), true)
})

test('a table whose shards did not get their policies back is found again by the next call', onStandIn, async () => {
  await assert.rejects(
    rebalance(0, null, 'alter table %s force%'),
    /policies of projects were not changed: no answer \(shard 102008\)/,
  )
  assert.equal(await isForced(), false)
  await rebalance(0)
  assert.equal(await isForced(), true)
})

test('an address of a worker without a port is refused before anything is changed', onStandIn, async () => {
  await assert.rejects(rebalance(0, 'db3.internal'), /"db3\.internal" is not the host:port of a worker/)
  assert.equal(await isForced(), true)
})
