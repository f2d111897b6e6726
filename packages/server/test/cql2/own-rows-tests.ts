import assert from 'node:assert/strict'
import { test } from 'node:test'
import { evaluate, type Evaluated } from './evaluate.ts'
import { ownItems } from './own-items.ts'
import { ownRows } from './own-rows.ts'
import { layers } from './shared-layers.ts'

const evaluated: readonly Evaluated[] = ownItems.map(({ stac_id, ...item }) => ({ ...item, id: stac_id }))

const expectedOf = (filter: unknown): string[] =>
  evaluated.filter((item) => evaluate(item, filter) === true).map(({ id }) => id)

async function wrongRows(rows: readonly unknown[]): Promise<string[]> {
  const wrong: string[] = []
  for (const filter of rows) {
    const [expected, selected] = [expectedOf(filter), await layers().ids('own', filter)]
    if (expected.join() !== selected.join()) {
      wrong.push(`${JSON.stringify(filter)}\n  expected ${expected.join()}\n  selected ${selected.join()}`)
    }
  }
  return wrong
}

for (const [name, rows] of Object.entries(ownRows)) {
  test(`${rows.length} filters of ${name} select the same items as the in-memory evaluator`, async () => {
    assert.deepEqual(await wrongRows(rows), [])
  })
}

test('most filters select some items and not all', () => {
  const rows = Object.values(ownRows).flat()
  const selected = rows.map((filter) => expectedOf(filter).length)
  assert.ok(rows.length >= 600)
  assert.ok(selected.filter((count) => count > 0 && count < ownItems.length).length > rows.length / 2)
})

test('filters joined by AND, OR and NOT select the same items as three-valued logic', async () => {
  const rows = Object.values(ownRows).flat()
  const pick = (index: number): unknown => rows[(index * 97) % rows.length]
  const not = (of: unknown): unknown => ({ op: 'not', args: [of] })
  const joined = Array.from({ length: 60 }, (_, index) => {
    const [p1, p2, p3, p4] = [pick(index), pick(index + 61), pick(index + 127), pick(index + 263)]
    const parts = [
      { op: 'and', args: [not(p1), p2] },
      { op: 'and', args: [p3, not(p4)] },
      not({ op: 'and', args: [p1, { op: 'or', args: [p4, not(not(p2))] }] }),
    ]
    return { op: index % 2 === 0 ? 'or' : 'and', args: index % 3 === 0 ? parts : parts.slice(0, 2) }
  })
  assert.deepEqual(await wrongRows(joined), [])
})
