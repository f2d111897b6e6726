import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../../src/engine/problem.ts'
import { readFixture } from './filter-fixtures.ts'
import { getFilterFixtures } from './shared-filter-fixtures.ts'
import { parseCql2Text } from '../../src/http/cql2-text/parse.ts'

const placesLayer = 'ne_110m_populated_places_simple'
interface Predicate {
  readonly collection: string
  readonly filter: string
  readonly expected: number
}
interface AbstractTestSuite {
  readonly classes: Readonly<
    Record<
      string,
      {
        readonly predicates: readonly Predicate[]
        readonly combinations?: {
          readonly rows: readonly { readonly p: readonly string[]; readonly expected: number }[]
        }
      }
    >
  >
}
interface Example {
  readonly name: string
  readonly json: unknown
  readonly text: string
}

const normalizeJson = (json: unknown): unknown =>
  JSON.parse(JSON.stringify(json), (_key, value) =>
    typeof value === 'string' ? value.normalize('NFC').replace(/\.0+Z$/, 'Z') : value,
  )

test('every CQL2 text of the standard is converted to its JSON', async () => {
  const { examples } = JSON.parse(await readFixture('ogc-examples.json')) as { examples: Example[] }
  assert.equal(examples.length, 109)
  for (const { name, text, json } of examples)
    assert.deepEqual(normalizeJson(parseCql2Text(text)), normalizeJson(json), name)
})

test('the predicates of the abstract test suite select the expected number of items', async () => {
  const { classes } = JSON.parse(await readFixture('ogc-ats-expected.json')) as AbstractTestSuite
  const predicates = Object.values(classes).flatMap((one) => one.predicates)
  assert.equal(predicates.length, 113)
  for (const { collection, filter, expected } of predicates) {
    assert.equal(await getFilterFixtures().countMatches(collection, parseCql2Text(filter)), expected, filter)
  }
})

test('the combinations of the abstract test suite select the expected number of items', async () => {
  const { classes } = JSON.parse(await readFixture('ogc-ats-expected.json')) as AbstractTestSuite
  const rows = Object.values(classes).flatMap((one) => one.combinations?.rows ?? [])
  assert.equal(rows.length, 77)
  for (const { p, expected } of rows) {
    const [p1, p2, p3, p4] = p
    const filter = parseCql2Text(`(NOT (${p2}) AND ${p1}) OR (${p3} AND ${p4}) OR NOT (${p1} OR ${p4})`)
    assert.equal(await getFilterFixtures().countMatches(placesLayer, filter), expected, p.join(' | '))
  }
})

test('every expression over records of all types selects the expected records', async () => {
  const { cases } = JSON.parse(await readFixture('cql2testdata-expected.json')) as {
    cases: { filter: string; intfield: number[] }[]
  }
  assert.equal(cases.length, 159)
  const mismatches: string[] = []
  for (const { filter, intfield } of cases) {
    const selected = (await getFilterFixtures().selectIds('records', parseCql2Text(filter))).map((id) =>
      Number(id.replace('record-', '')),
    )
    if (selected.sort((a, b) => a - b).join() !== [...intfield].sort((a, b) => a - b).join())
      mismatches.push(filter + ' -> ' + selected)
  }
  assert.deepEqual(mismatches, [])
})

/** Refused examples: custom functions, which are optional in the standard, and geometry properties that items lack. */
const expectedRefusals: Readonly<Record<string, string>> = {
  clause6_01: '400 The function "avg" is not supported: only the operators of CQL2 are.',
  clause6_02b: '400 The function "avg" is not supported: only the operators of CQL2 are.',
  clause7_10: '422 filter.args.0.property: "road" is not a geometry property; items have one, named "geometry"',
  clause7_18: '422 filter.args.0.property: "road" is not a geometry property; items have one, named "geometry"',
  example07:
    '422 filter.args.1.args.0.property: "footprint" is not a geometry property; items have one, named "geometry"',
  example08:
    '422 filter.args.3.args.0.property: "footprint" is not a geometry property; items have one, named "geometry"',
  example23: '422 filter.args.0.property: "location" is not a geometry property; items have one, named "geometry"',
  example68: '400 The function "Foo" is not supported: only the operators of CQL2 are.',
  example69: '400 The function "Bar" is not supported: only the operators of CQL2 are.',
}

test('every example of the standard succeeds, or is refused with its expected problem', async () => {
  const { examples } = JSON.parse(await readFixture('ogc-examples.json')) as { examples: Example[] }
  const refusalsByName: Record<string, string> = {}
  for (const { name, json } of examples) {
    try {
      await getFilterFixtures().countMatches(placesLayer, json)
    } catch (error) {
      assert.ok(error instanceof Problem, `${name}: ${error}`)
      refusalsByName[name] = `${error.status} ${error.message}`
    }
  }
  assert.deepEqual(refusalsByName, expectedRefusals)
})
