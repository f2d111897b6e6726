import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toParsedStatement } from './rules.ts'
import { parseSql } from './syntax.ts'
import { findForeignWrites } from './writers.ts'

const tenantTables = new Set(['items', 'item_counts', 'storage_journal', 'invoices', 'orders'])
const facts = { tenantTables, references: [], mutableFunctions: new Map() }
const itemsFile = 'platform/database/item-counts/write-items.ts'

const findWrites = (text: string, file: string, name: string): string[] =>
  parseSql(text).flatMap((tree) => findForeignWrites(toParsedStatement(tree, facts).changes, { file, line: 1, name }))

test('the stores change nothing of an invoice but its status, its number and when it was paid', () => {
  const update = (set: string): string[] =>
    findWrites(`update invoices set ${set}`, 'domains/invoicing/store.ts', 'any')
  assert.deepEqual(update("status = 'PAID', paid_at = $1"), [])
  assert.deepEqual(update("status = 'PAID', total_credits = $1"), [
    'may not update rows of invoices (status, total_credits)',
  ])
  assert.deepEqual(findWrites('delete from invoices', 'domains/invoicing/store.ts', 'any').length, 1)
})

test('one function appends to the journal of files: the one that writes their total', () => {
  const insert = 'insert into storage_journal (bytes) values ($1)'
  assert.deepEqual(findWrites(insert, 'domains/usage/store.ts', 'insertStorageJournalEntries'), [])
  assert.equal(findWrites(insert, 'domains/usage/store.ts', 'other').length, 1)
  assert.equal(findWrites(insert, 'domains/uploads/store.ts', 'insertStorageJournalEntries').length, 1)
})

test('the functions that write items are those that write their counts, and change the revision', () => {
  const set = (columns: string): string => `update items i set ${columns}`
  assert.deepEqual(findWrites(set('geometry = $1, revision = i.revision + 1'), itemsFile, 'updateItemRows'), [])
  assert.equal(findWrites(set('geometry = $1'), itemsFile, 'updateItemRows').length, 1)
  assert.equal(findWrites(set('geometry = $1, revision = 2'), itemsFile, 'updateUncountedColumns').length, 1)
  assert.equal(findWrites(set('geometry = $1, revision = 2'), 'domains/items/store.ts', 'updateItemRows').length, 1)
  assert.equal(findWrites('delete from items', itemsFile, 'updateItemRows').length, 1)
  assert.equal(
    findWrites('with a as (insert into items (id) values ($1)) select 1', 'domains/items/store.ts', 'add').length,
    1,
  )
})

test('one module writes the counts of items, and other tables have any writer', () => {
  const count = 'update item_counts set items = $1'
  assert.deepEqual(findWrites(count, 'platform/database/item-counts/write-counts.ts', 'addCounts'), [])
  assert.equal(findWrites(count, 'domains/items/store.counts.ts', 'addCounts').length, 1)
  assert.deepEqual(findWrites('update orders set status = $1', 'domains/orders/store.ts', 'any'), [])
})
