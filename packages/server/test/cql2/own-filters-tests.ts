import assert from 'node:assert/strict'
import { test } from 'node:test'
import { evaluate, type EvaluatedItem } from './evaluate.ts'
import { ownItems } from './own-items.ts'
import { ownFilters } from './own-filters.ts'
import { getFilterFixtures } from './shared-filter-fixtures.ts'

const evaluatedItems: readonly EvaluatedItem[] = ownItems.map(({ stac_id, ...item }) => ({ ...item, id: stac_id }))

const expectedIds = (filter: unknown): string[] =>
  evaluatedItems.filter((item) => evaluate(item, filter) === true).map(({ id }) => id)

async function findMismatches(filters: readonly unknown[]): Promise<string[]> {
  const mismatches: string[] = []
  for (const filter of filters) {
    const [expected, selected] = [expectedIds(filter), await getFilterFixtures().selectIds('own', filter)]
    if (expected.join() !== selected.join()) {
      mismatches.push(`${JSON.stringify(filter)}\n  expected ${expected.join()}\n  selected ${selected.join()}`)
    }
  }
  return mismatches
}

for (const [name, filters] of Object.entries(ownFilters)) {
  test(`${filters.length} filters of ${name} select the same items as the in-memory evaluator`, async () => {
    assert.deepEqual(await findMismatches(filters), [])
  })
}

test('most filters select some items and not all', () => {
  const filters = Object.values(ownFilters).flat()
  const selected = filters.map((filter) => expectedIds(filter).length)
  assert.ok(filters.length >= 600)
  assert.ok(selected.filter((count) => count > 0 && count < ownItems.length).length > filters.length / 2)
})

test('filters joined by AND, OR and NOT select the same items as three-valued logic', async () => {
  const filters = Object.values(ownFilters).flat()
  const pickFilter = (index: number): unknown => filters[(index * 97) % filters.length]
  const not = (of: unknown): unknown => ({ op: 'not', args: [of] })
  const joined = Array.from({ length: 60 }, (_, index) => {
    const [p1, p2, p3, p4] = [
      pickFilter(index),
      pickFilter(index + 61),
      pickFilter(index + 127),
      pickFilter(index + 263),
    ]
    const parts = [
      { op: 'and', args: [not(p1), p2] },
      { op: 'and', args: [p3, not(p4)] },
      not({ op: 'and', args: [p1, { op: 'or', args: [p4, not(not(p2))] }] }),
    ]
    return { op: index % 2 === 0 ? 'or' : 'and', args: index % 3 === 0 ? parts : parts.slice(0, 2) }
  })
  assert.deepEqual(await findMismatches(joined), [])
})
