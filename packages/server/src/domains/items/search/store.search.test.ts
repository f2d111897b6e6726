import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createManualClock } from '../../../platform/clock.ts'
import type { DbConnection } from '../../../platform/database/database.ts'
import { type Sql, type SqlStatement, SqlTemplate, sql, toSqlStatement } from '../../../platform/database/sql.ts'
import { createStatementTextCache } from '../../../platform/database/statements/statement-texts.ts'
import { readableProjectIdsSql, readsAllProjectsSql } from '../../projects/store.ts'
import { buildFeatureSearchQuery, listFoundFeatureRows, listFoundItemRows } from './store.search.ts'
import type { ItemSearch } from './store.search-conditions.ts'
import { featureSearchStatement, chooseSearchPreparationMode } from './store.search-statements.ts'
import { unfilteredSearch } from './search.ts'
import { singleCollection } from './store.collections.ts'

const organization = '01890a5d-ac96-774b-bcce-b302099a8057'

const reader = { organization, user: '01890a5d-ac96-774b-bcce-b302099a8058', everything: false }

/** A database stub that records statements. */
function createRecordingDb(): { db: DbConnection; texts: { text: string; values: readonly unknown[] }[] } {
  const texts: { text: string; values: readonly unknown[] }[] = []
  const query = async (statement: Sql): Promise<never[]> => {
    texts.push(toSqlStatement(statement))
    return []
  }
  return {
    db: { organization, query, transaction: () => Promise.reject(new Error('no transaction')) } as DbConnection,
    texts,
  }
}

const projects = { all: readsAllProjectsSql(reader), ids: readableProjectIdsSql(reader), presumesAll: false }

const plain: ItemSearch = {
  ...unfilteredSearch,
  projects,
  limit: 5,
  offset: 0,
  after: null,
  now: createManualClock(new Date(0)).forOrganization(organization).now(),
}

const variants: Partial<ItemSearch>[] = [
  {},
  { projects: { ...projects, presumesAll: true } },
  { boxes: [[0, 0, 1, 1]] },
  {
    boxes: [
      [170, 0, 180, 1],
      [-180, 0, -170, 1],
    ],
  },
  { from: new Date(0), to: new Date(1) },
  { from: new Date(0), to: new Date(1), projects: { ...projects, presumesAll: true } },
  { collections: singleCollection(organization), type: 'clip' },
  {
    sort: [
      { property: 'eo:cloud_cover', direction: 'asc' },
      { property: 'own', direction: 'desc' },
    ],
  },
]

const cteNames = new Set(['unnest', 'readable', 'found', 'lasting', 'overdue', 'page', 'texts', 'measured'])

// If spatial predicates are not leakproof, search bypasses row-level security, and this is the only isolation.
test('every item search statement filters every table by organization', async () => {
  for (const variant of variants) {
    const { db, texts } = createRecordingDb()
    await listFoundItemRows(db, organization, { ...plain, ...variant })
    await listFoundFeatureRows(db, organization, { ...plain, ...variant })
    // Without a row the presumption is wrong: the statement of all callers follows.
    assert.equal(texts.length, variant.projects ? 4 : 2)
    for (const { text, values } of texts) {
      const tables = [...text.matchAll(/\b(?:from|join)\s+([a-z_]+)\s+([a-z_]+)/g)].filter(
        ([, name = '']) => !cteNames.has(name),
      )
      assert.ok(tables.length > 0, text)
      for (const [, , alias] of tables) {
        const bound = new RegExp(`\\b${alias}\\.organization_id = \\$(\\d+)`).exec(text)
        assert.ok(bound, `${alias} is not bound to an organization in: ${text}`)
        assert.equal(values[Number(bound[1]) - 1], organization)
      }
    }
  }
})

/** Every form of a search whose text is cached. */
function* listFrequentSearches(): Generator<ItemSearch> {
  const times = ['2020-01-01', '2020-01-15', '2020-01-20', '2020-04-02'].map((text) => new Date(text))
  const orders: ItemSearch['sort'][] = [
    [],
    [{ property: 'datetime', direction: 'asc' }],
    [{ property: 'datetime', direction: 'desc' }],
    [{ property: 'name', direction: 'desc' }],
  ]
  const geojson = '{"type":"Polygon","coordinates":[]}'
  const areas: Partial<ItemSearch>[] = [
    { area: { geojson, box: [0, 0, 5, 5] } },
    { area: { geojson: 'another', box: [0, 0, 5, 5] } },
    { area: { geojson, box: [0, 0, 50, 5] } },
  ]
  for (const from of [null, ...times])
    for (const to of [null, ...times])
      for (const sort of orders)
        for (const limit of [10, 100])
          for (const more of [
            {},
            { offset: 10 },
            { collections: singleCollection(organization) },
            { type: 'clip' as const },
            ...areas,
          ])
            yield { ...plain, projects: { presumed: projects.all }, from, to, sort, limit, ...more }
}

test('a search whose text is cached runs the same statement as one that is composed anew', () => {
  const createStatement = createStatementTextCache()
  const read = ({ text, values }: SqlStatement): string =>
    text.replaceAll(/\$(\d+)/g, (_, number: string) => {
      const value = values[Number(number) - 1]
      return value instanceof Date ? value.toISOString() : String(value)
    })
  let count_templates = 0
  for (const search of [...listFrequentSearches(), ...listFrequentSearches()]) {
    const query = buildFeatureSearchQuery(organization, search, 1000)
    if (query instanceof SqlTemplate) count_templates += 1
    assert.equal(read(createStatement(query)), read(toSqlStatement(featureSearchStatement(organization, search, 1000))))
  }
  assert.ok(count_templates > 100)
})

test('one plan is cached if an index selects the rows; a search of all items is planned with its values', () => {
  const cloud = [{ property: 'eo:cloud_cover', direction: 'asc' }] as const
  const planOf = (changes: Partial<ItemSearch>) =>
    toSqlStatement(chooseSearchPreparationMode({ ...plain, ...changes }, sql`select 1`)).prepared
  const kept = 'generic-when-frequent'
  assert.equal(planOf({}), kept)
  assert.equal(planOf({ ids: ['a'] }), kept)
  assert.equal(planOf({ boxes: [[0, 0, 1, 1]] }), kept)
  assert.equal(planOf({ from: new Date(0), type: 'clip' }), kept)
  assert.equal(planOf({ type: 'clip' }), false)
  assert.equal(planOf({ sort: cloud }), false)
  assert.equal(planOf({ boxes: [[0, 0, 100, 1]] }), false)
})
