import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listCitusNodes } from '../../../../test/citus/cluster.ts'
import { openTestDatabase } from '../../../../test/database.ts'
import { formatTableSizes, readTableSizes, type TableSize } from './size.ts'

test('the sizes of all tables are read, the largest first, and grow with their rows', async () => {
  const database = await openTestDatabase()
  try {
    await database.runScript(`
      create table notes (id integer primary key, text text);
      insert into notes select n, repeat('x', 200) from generate_series(1, 20000) n`)
    const [largest, ...others] = await readTableSizes(database)
    assert.equal(largest!.table, 'notes')
    assert.ok(largest!.total_bytes > 20_000 * 200)
    assert.ok(largest!.index_bytes > 0 && largest!.index_bytes < largest!.total_bytes)
    const names = others.map(({ table }) => table)
    assert.ok(names.includes('projects') && names.includes('journal_entries'))
    assert.ok(!names.includes('spatial_ref_sys'), 'a table of an extension')
    for (const [name, partitions, indexes] of [
      ['event_delivery_attempts', 4, 2],
      ['items', 8, 19],
    ] as const) {
      const found = others.filter(({ table }) => table === name || new RegExp(`^${name}_[0-9d]`).test(table))
      assert.equal(found.length, 1, 'partitions are added up')
      if (listCitusNodes() === null) {
        assert.ok(found[0]!.partitions >= partitions)
        assert.ok(found[0]!.index_bytes >= indexes * 8192 * partitions)
      } else assert.ok(found[0]!.shards > 1 && found[0]!.index_bytes >= indexes * 8192 * found[0]!.shards)
    }
  } finally {
    await database.close()
  }
})

const size = (table: string, rest: Partial<TableSize>): TableSize => ({
  table,
  partitions: 0,
  shards: 0,
  rows: 10,
  total_bytes: 0,
  index_bytes: 0,
  rows_per_day: null,
  bytes_per_day: null,
  ...rest,
})

test('small tables are printed only if they grow', () => {
  const mebibyte = 1024 * 1024
  const text = formatTableSizes([
    size('items', { rows: 60_000_000, total_bytes: 4000 * mebibyte, index_bytes: 1500 * mebibyte }),
    size('events', { total_bytes: mebibyte, rows_per_day: 4000.4, bytes_per_day: 2 * mebibyte }),
    size('plans', { total_bytes: mebibyte }),
    size('event_delivery_attempts', { partitions: 95, total_bytes: 20 * mebibyte }),
  ])
  assert.match(
    formatTableSizes([size('items', { shards: 32 }), size('plans', { shards: 2 })]),
    /\n2 tables in 34 shards, /,
  )
  assert.deepEqual(text.split('\n'), [
    'table                                        rows     MiB  of it indexes  rows a day  MiB a day',
    'items                                    60000000  4000.0         1500.0           -          -',
    'events                                         10     1.0            0.0        4000        2.0',
    'event_delivery_attempts (95 partitions)        10    20.0            0.0           -          -',
    '4 tables, 4022.0 MiB',
  ])
})
