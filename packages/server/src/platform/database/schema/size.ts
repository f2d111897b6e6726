import type { Database, SqlStatementRunner } from '../database.ts'
import { runOnNodes } from '../distribution/node-commands.ts'
import { getSchemaOwnerConnection } from '../raw.ts'
import { sql } from '../sql.ts'

/** The size of one table and its growth. */
export interface TableSize {
  /** With its schema, unless that is `public`. */
  readonly table: string
  /** Partitions of the table, which are added up; 0 for a table without. */
  readonly partitions: number
  /** Shards on the nodes of Citus, which are added up; 0 for a table that is not distributed. */
  readonly shards: number
  /** Estimated by the last analysis of the table, which runs by itself; -1 if there was none. */
  readonly rows: number
  /** With indexes and long values. */
  readonly total_bytes: number
  readonly index_bytes: number
  /** Rows inserted less rows deleted since the statistics of the database began, for each day; null within the first hour. */
  readonly rows_per_day: number | null
  /** The bytes that these rows take at the present size of a row; null if either is unknown. */
  readonly bytes_per_day: number | null
}

interface SizeRow {
  readonly table: string
  readonly partitions: number
  readonly shards: number
  readonly rows: number
  readonly total_bytes: number
  readonly index_bytes: number
  readonly added: number
  readonly counted_s: number | null
}

const min_counted_s = 3600
const day_s = 86_400

/** All tables of the server and of its queue, with their shards on the nodes of Citus, the largest first. */
export async function readTableSizes(database: Database): Promise<TableSize[]> {
  const owner = getSchemaOwnerConnection(database)
  const [tables, shards] = [await readLocalSizes(owner), await readShardSizes(owner)]
  return tables
    .map((row) => toTableSize(addShards(row, shards.get(row.table) ?? [])))
    .toSorted((one, other) => other.total_bytes - one.total_bytes)
}

/** The shards of a table on one node. */
interface ShardSizes {
  readonly table: string
  readonly shards: number
  readonly is_reference: boolean
  readonly rows: number
  readonly total_bytes: number
  readonly index_bytes: number
}

const shardSizesOnNode = `
  select coalesce(json_agg(sizes), '[]') from (
    select t.relname::text as "table", count(*) as shards, bool_or(kind.partmethod = 'n') as is_reference, coalesce(sum(c.reltuples) filter (where c.reltuples >= 0), -1)::bigint as rows,
      sum(pg_total_relation_size(c.oid))::bigint as total_bytes, sum(pg_indexes_size(c.oid))::bigint as index_bytes
    from pg_dist_placement p
    join pg_dist_local_group g on g.groupid = p.groupid
    join pg_dist_shard d on d.shardid = p.shardid
    join pg_class t on t.oid = d.logicalrelid
    join pg_dist_partition kind on kind.logicalrelid = d.logicalrelid
    join pg_class c on c.relnamespace = t.relnamespace and c.relname = t.relname || '_' || d.shardid
    group by 1
  ) sizes`

/** The sizes of shards by table, once for each node that has some; none on an engine that is not distributed. */
async function readShardSizes(owner: SqlStatementRunner): Promise<ReadonlyMap<string, readonly ShardSizes[]>> {
  const [found] = await owner.query<{ exists: boolean }>(
    sql`select to_regclass('pg_dist_placement') is not null as exists`,
  )
  if (!found!.exists) return new Map()
  const nodes = await runOnNodes(owner, shardSizesOnNode, 'a node does not return the sizes of its shards')
  return Map.groupBy(
    nodes.flatMap(({ result }) => JSON.parse(result) as ShardSizes[]),
    ({ table }) => table,
  )
}

const addShards = (row: SizeRow, shards: readonly ShardSizes[]): SizeRow =>
  shards.reduce<SizeRow>(
    (sum, node) => ({
      ...sum,
      shards: sum.shards + node.shards,
      // Each node has all rows of a table without tenant data.
      rows: node.is_reference ? node.rows : node.rows < 0 ? sum.rows : Math.max(sum.rows, 0) + node.rows,
      total_bytes: sum.total_bytes + node.total_bytes,
      index_bytes: sum.index_bytes + node.index_bytes,
      // A shard that was moved was written once more: nothing says since when.
      counted_s: null,
    }),
    row,
  )

async function readLocalSizes(owner: SqlStatementRunner): Promise<SizeRow[]> {
  return owner.query<SizeRow>(sql`
    select case n.nspname when 'public' then '' else n.nspname || '.' end || t.relname as table,
      count(*) filter (where c.relispartition) as partitions, 0 as shards,
      coalesce(sum(c.reltuples) filter (where c.reltuples >= 0), -1)::bigint as rows,
      sum(pg_total_relation_size(c.oid))::bigint as total_bytes, sum(pg_indexes_size(c.oid))::bigint as index_bytes,
      sum(coalesce(s.n_tup_ins - s.n_tup_del, 0))::bigint as added,
      extract(epoch from statement_timestamp() - coalesce(d.stats_reset, pg_postmaster_start_time()))::double precision as counted_s
    from pg_catalog.pg_class c
    join pg_catalog.pg_class t on t.oid = coalesce(pg_partition_root(c.oid), c.oid)
    join pg_catalog.pg_namespace n on n.oid = t.relnamespace
    left join pg_catalog.pg_stat_all_tables s on s.relid = c.oid
    left join pg_catalog.pg_stat_database d on d.datname = current_database()
    where c.relkind = 'r' and n.nspname in ('public', 'boss')
      and not exists (select 1 from pg_catalog.pg_depend e where e.objid = c.oid and e.deptype = 'e')
    group by n.nspname, t.relname, d.stats_reset
    order by total_bytes desc, 1`)
}

function toTableSize({
  table,
  partitions,
  shards,
  rows,
  total_bytes,
  index_bytes,
  added,
  counted_s,
}: SizeRow): TableSize {
  const rows_per_day = counted_s === null || counted_s < min_counted_s ? null : (added * day_s) / counted_s
  const bytes_per_day = rows_per_day === null || rows <= 0 ? null : (rows_per_day * total_bytes) / rows
  return { table, partitions, shards, rows, total_bytes, index_bytes, rows_per_day, bytes_per_day }
}

const mebibyte = 1024 * 1024
const printed_share = 0.001

const inMebibytes = (bytes: number | null): string => (bytes === null ? '-' : (bytes / mebibyte).toFixed(1))

/** A table of the sizes as text, without what takes less than a thousandth of the whole and does not grow. */
export function formatTableSizes(sizes: readonly TableSize[]): string {
  const total_bytes = sizes.reduce((sum, size) => sum + size.total_bytes, 0)
  const shown = sizes.filter(
    (size) => size.total_bytes >= printed_share * total_bytes || (size.bytes_per_day ?? 0) >= mebibyte,
  )
  const lines = [
    ['table', 'rows', 'MiB', 'of it indexes', 'rows a day', 'MiB a day'],
    ...shown.map((size) => [
      `${size.table}${size.partitions > 0 ? ` (${size.partitions} partitions)` : ''}${size.shards > 0 ? ` (${size.shards} shards)` : ''}`,
      size.rows < 0 ? '-' : String(size.rows),
      inMebibytes(size.total_bytes),
      inMebibytes(size.index_bytes),
      size.rows_per_day === null ? '-' : String(Math.round(size.rows_per_day)),
      inMebibytes(size.bytes_per_day),
    ]),
  ]
  const widths = lines[0]!.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)))
  const text = lines.map((line) =>
    line.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!))).join('  '),
  )
  const shards = sizes.reduce((sum, size) => sum + size.shards, 0)
  const total = `${sizes.length} tables${shards > 0 ? ` in ${shards} shards` : ''}, ${inMebibytes(total_bytes)} MiB`
  return [...text, total].join('\n')
}
