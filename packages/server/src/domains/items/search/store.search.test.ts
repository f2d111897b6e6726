import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createManualClock } from '../../../platform/clock.ts'
import type { DbConnection } from '../../../platform/database/database.ts'
import { toStatement, type Sql } from '../../../platform/database/sql.ts'
import { readableProjectIdsSql, readsAllProjectsSql } from '../../projects/store.ts'
import { searchFeatureRows, searchItemRows } from './store.search.ts'
import type { ItemSearch } from './store.search-conditions.ts'
import { unfilteredSearch } from './search.ts'

const organization = '01890a5d-ac96-774b-bcce-b302099a8057'

const reader = { organization, user: '01890a5d-ac96-774b-bcce-b302099a8058', everything: false }

/** A database stub that records statements. */
function createRecordingDb(): { db: DbConnection; texts: { text: string; values: readonly unknown[] }[] } {
  const texts: { text: string; values: readonly unknown[] }[] = []
  const query = async (statement: Sql): Promise<never[]> => {
    texts.push(toStatement(statement))
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
  { collections: [organization], type: 'clip' },
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
    await searchItemRows(db, organization, { ...plain, ...variant })
    await searchFeatureRows(db, organization, { ...plain, ...variant })
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
