import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { compareStorageJournalWithObjects, type StoredBytesDriftKind } from './drift.ts'

const asset = (asset_id: string) => ({ asset_id, object_path: `objects/${asset_id}` })
const line = (asset_id: string, bytes: number) => ({ ...asset(asset_id), bytes })

/** The drift of one asset with these journal bytes and this object size. */
function driftKindFor(journal_bytes: number, size: number | null): StoredBytesDriftKind | null {
  const journal = journal_bytes === 0 ? [] : [line('a', journal_bytes)]
  return compareStorageJournalWithObjects([asset('a')], journal, new Map([['objects/a', size]])).drifts[0]?.kind ?? null
}

test('classifies every kind of drift', () => {
  assert.equal(driftKindFor(5, 5), null)
  assert.equal(driftKindFor(0, null), null)
  assert.equal(driftKindFor(0, 0), null)
  assert.equal(driftKindFor(0, 5), 'missing')
  assert.equal(driftKindFor(5, null), 'stale')
  assert.equal(driftKindFor(5, 0), 'drift')
  assert.equal(driftKindFor(5, 4), 'drift')
  assert.equal(driftKindFor(-5, 5), 'negative')
  assert.equal(driftKindFor(-5, null), 'negative')
})

test('journal rows of deleted assets, old paths and the organization as a whole are stale', () => {
  const organizationRow = { asset_id: null, object_path: 'objects', bytes: 7 }
  const moved = { asset_id: 'a', object_path: 'objects/before', bytes: 3 }
  const sizes = new Map([
    ['objects/a', 5],
    ['objects/gone', 9],
  ])
  const { drifts } = compareStorageJournalWithObjects(
    [asset('a')],
    [line('a', 5), moved, line('gone', 9), organizationRow],
    sizes,
  )
  assert.deepEqual(
    drifts.map(({ asset_id, object_path, kind }) => [asset_id, object_path, kind]),
    [
      [null, 'objects', 'stale'],
      ['a', 'objects/before', 'stale'],
      ['gone', 'objects/gone', 'stale'],
    ],
  )
})

test('an asset whose object was not inspected is skipped', () => {
  const comparison = compareStorageJournalWithObjects(
    [asset('a'), asset('b')],
    [line('a', 5), line('b', 5)],
    new Map([['objects/a', 5]]),
  )
  assert.deepEqual(comparison, { journal_bytes: 5, stored_bytes: 5, drifts: [] })
})

test('the drifts sum to the difference of the totals', () => {
  const bytes = fc.integer({ min: -1000, max: 1000 })
  const entry = fc.record({ journal: bytes, size: fc.option(fc.nat(1000)), live: fc.boolean() })
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 12 }), (entries) => {
      const entriesWithIds = entries.map((row, index) => ({ ...row, id: `${index}` }))
      const assets = entriesWithIds.filter((row) => row.live).map((row) => asset(row.id))
      const journal = entriesWithIds.filter((row) => row.journal !== 0).map((row) => line(row.id, row.journal))
      const sizes = new Map(entriesWithIds.map((row) => [`objects/${row.id}`, row.size]))
      const { journal_bytes, stored_bytes, drifts } = compareStorageJournalWithObjects(assets, journal, sizes)
      assert.equal(
        drifts.reduce((sum, drift) => sum + drift.journal_bytes - drift.stored_bytes, 0),
        journal_bytes - stored_bytes,
      )
      assert.equal(
        journal_bytes,
        entriesWithIds.reduce((sum, row) => sum + row.journal, 0),
      )
      assert.equal(
        stored_bytes,
        entriesWithIds.reduce((sum, row) => sum + (row.live ? (row.size ?? 0) : 0), 0),
      )
    }),
  )
})
