import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Node } from 'libpg-query'
import { checkStatement } from './distributed/check-statement.ts'
import type { FindingKind } from './distributed/findings.ts'
import { isMultiShardRead } from './distributed/multi-shard-reads.ts'
import { listQueries, type Query } from './distributed/nodes.ts'
import type { MigratedSchema } from './distributed/schema.ts'
import { readSource } from './source-text.ts'
import { parseSql } from './statements/parse-sql.ts'
import { readStatements, type ReadStatements } from './statements/read-statements.ts'
import { readTree } from './tree.ts'

const folder = 'packages/server/src/domains/items'

const writtenColumns = ({ kind, query }: Query): readonly Node[] | undefined =>
  kind === 'insert' ? query.cols : kind === 'update' ? query.targetList : undefined

/** The names of columns that an INSERT or an UPDATE writes, in order. */
const listTargets = (nodes: readonly Node[] | undefined): (string | undefined)[] =>
  (nodes ?? []).map((node) => ('ResTarget' in node ? node.ResTarget.name : undefined))

const header = "import { sql, type Sql } from '../../platform/database/sql.ts'\n"

/** Reads stores that are given by the name of their file; each imports `sql` in its first line. */
function readStores(stores: Readonly<Record<string, string>>): ReadStatements {
  const files = new Map(Object.entries(stores).map(([name, text]) => [`${folder}/${name}`, `${header}${text}`]))
  const code = new Map([...files].map(([path, text]) => [path, readSource(text)]))
  return readStatements({ root: '', files, code, operations: [] })
}

/** The texts of the statements of one store, with single spaces, sorted. */
const textsOf = (store: string): string[] =>
  readStores({ 'store.ts': store })
    .statements.flatMap(({ variants }) => variants.map(({ text }) => text.replace(/\s+/g, ' ').trim()))
    .sort()

test('a value becomes a numbered parameter', () => {
  assert.deepEqual(
    textsOf(
      'const find = (db, id: string) => db.query<Row>(sql`select a from items where id = ${id} and b = ${id.length}`)',
    ),
    ['select a from items where id = $1 and b = $2'],
  )
})

test('constants, functions and members of tables that are SQL are spliced in', () => {
  assert.deepEqual(
    textsOf(`
      const columns = sql\`a, b\`
      const orders = { newest: sql\`a desc\`, oldest: sql\`a\` } as const
      const isOwn = (organization: string) => sql\`organization_id = \${organization}\`
      function limitTo(count: number): Sql {
        const rows = sql\`limit \${count}\`
        return rows
      }
      const list = (db, organization: string, order: 'newest' | 'oldest') =>
        db.query(sql.prepared(sql\`select \${columns} from items where \${isOwn(organization)} order by \${orders[order]} \${limitTo(1)}\`))
    `),
    [
      'select a, b from items where organization_id = $1 order by a desc limit $2',
      'select a, b from items where organization_id = $1 order by a limit $2',
    ],
  )
})

test('SQL that another store exports is spliced in', () => {
  const { statements } = readStores({
    'store.ts':
      "import { columns } from './store.columns.ts'\nconst list = (db) => db.query(sql`select ${columns} from items`)",
    'store.columns.ts': 'export const columns = sql`a, b`',
  })
  assert.deepEqual(
    statements.map(({ variants }) => variants.map(({ text }) => text)),
    [['select a, b from items']],
  )
})

test('every outcome of a decision occurs in a text', () => {
  assert.deepEqual(
    textsOf(`
      const filter = (id: string | null): Sql => {
        if (id === null) return sql\`true\`
        return sql\`id = \${id}\`
      }
      const list = (db, id: string | null, lock: boolean) =>
        db.query(sql\`select a from items where \${filter(id)} \${lock ? sql\`for update\` : sql.empty}\`)
    `),
    ['select a from items where id = $1', 'select a from items where true for update'],
  )
})

test('a constant that depends on a decision has one outcome in a text', () => {
  assert.deepEqual(
    textsOf(`
      const list = (db, isNewest: boolean) => {
        const order = isNewest ? sql\`a desc\` : sql\`a\`
        return db.query(sql\`select row_number() over (order by \${order}) from items order by \${order}\`)
      }
    `),
    [
      'select row_number() over (order by a desc) from items order by a desc',
      'select row_number() over (order by a) from items order by a',
    ],
  )
})

test('sql.join, sql.identifier, sql.integer and sql.json are read', () => {
  assert.deepEqual(
    textsOf(`
      const and = sql\` and \`
      const list = (db, ids: string[], side: 'a' | 'b') =>
        db.query(sql\`
          select \${sql.join(['c', 'd'].map((name) => sql.identifier(name, names)))} from items
          where \${sql.join([sql\`id = any(\${ids})\`, ...(ids.length > 0 ? [sql\`e = \${sql.json(ids)}\`] : [])], and)}
          order by \${sql.identifier(side, names)} limit \${sql.integer(ids.length)}\`)
    `),
    [
      'select "c", "d" from items where id = any($1) and e = $2 order by "name_3" limit 1',
      'select "c", "d" from items where id = any($1) order by "name_3" limit 1',
    ],
  )
})

test('a function that runs the SQL that it is passed is read for each of its callers', () => {
  const { statements } = readStores({
    'store.ts': `
      const readPage = async (db: Queryable, page: Sql) => db.query(sql\`select p.* from (\${page}) p\`)
      export const first = (db) => readPage(db, sql\`select a from items\`)
      export const second = (unscoped) => readPage(unscoped, sql\`select b from items\`)`,
  })
  assert.deepEqual(
    statements.map(({ line, name, variants }) => [
      line,
      name,
      variants.map(({ text, connection }) => [text, connection]),
    ]),
    [
      [
        3,
        'readPage',
        [
          ['select p.* from (select a from items) p', 'db'],
          ['select p.* from (select b from items) p', 'unscoped'],
        ],
      ],
    ],
  )
})

test('a function that calls itself ends', () => {
  const texts = textsOf(`
    const nest = (depth: number): Sql => (depth === 0 ? sql\`true\` : sql\`(not \${nest(depth - 1)})\`)
    const list = (db) => db.query(sql\`select a from items where \${nest(3)}\`)`)
  assert.deepEqual(texts, ['select a from items where (not true)', 'select a from items where true'])
})

test('what is not known is replaced where the grammar allows no parameter', () => {
  const { statements, unread } = readStores({
    'store.ts': `
      const list = (db, scope) => db.query(sql\`select array(\${scope.ids}) from \${scope.table} \${scope.suffix}\`)`,
  })
  assert.deepEqual(unread, [])
  assert.equal(statements[0]?.variants.length, 1)
})

test('a fragment that no statement uses is read by itself', () => {
  assert.deepEqual(
    textsOf(`
      export const isVisible = (id: Sql) => sql\`exists (select 1 from items i where i.id = \${id})\`
      export const comparisons = { less: sql\`<\`, more: sql\`>\` }
      export const suffix = sql\`order by a limit 1\``),
    ['<', '>', 'exists (select 1 from items i where i.id = $1)', 'order by a limit 1'],
  )
})

test('a statement that is not valid is listed with its place', () => {
  const { unread } = readStores({
    'store.ts': 'export const list = (db, id) =>\n  db.query(sql`select from where ${id} order`)',
    'store.page.ts': 'export const run = (db, page: { text: Sql }) => db.query(page.text)',
  })
  assert.deepEqual(
    unread.map(({ file, line, name }) => [file, line, name]),
    [
      [`${folder}/store.ts`, 3, 'list'],
      [`${folder}/store.page.ts`, 2, 'run'],
    ],
  )
})

const schema: MigratedSchema = {
  tenantTables: new Set(['items', 'projects']),
  organizationTables: new Set(['items', 'projects', 'key_directory']),
  objects: [],
  volatility: new Map([
    ['item_month', 'immutable'],
    ['count_items', 'volatile'],
  ]),
}

const kindsOf = (text: string): FindingKind[] =>
  parseSql(text).flatMap((statement) => checkStatement(statement, schema).map(({ kind }) => kind))

type Case = readonly [text: string, ...kinds: FindingKind[]]

const organizationCases: readonly Case[] = [
  ['select 1 from items where organization_id = $1 and id = $2'],
  ['select 1 from items where $1::uuid = organization_id'],
  ['select 1 from items where organization_id = $1 or id = $2', 'organization'],
  ['select 1 from items where not organization_id = $1', 'organization'],
  ['select 1 from items where organization_id <> $1', 'organization'],
  ['select 1 from items where organization_id = any($1)', 'organization'],
  ['select 1 from items where organization_id is not null', 'organization'],
  ['select 1 from items where (organization_id, id) = ($1, $2)'],
  ['select 1 from items i join projects p on p.organization_id = i.organization_id where p.organization_id = $1'],
  ['select 1 from items i join projects p using (organization_id) where p.organization_id = $1'],
  ['select 1 from items i, projects p where i.organization_id = $1 and p.organization_id = $1'],
  ['select 1 from items i join projects p on p.id = i.project_id where p.organization_id = $1', 'join'],
  ['select 1 from items i left join projects p on p.organization_id = i.organization_id where i.organization_id = $1'],
  ['select 1 from items i left join projects p on i.organization_id = $1', 'join', 'join'],
  ['select 1 from items i right join projects p on i.organization_id = $1 where p.organization_id = $1'],
  ['select 1 from items i full join projects p on i.organization_id = $1 where p.organization_id = $1', 'join'],
  ['select 1 from items i full join projects p on p.organization_id = i.organization_id where p.organization_id = $1'],
  ['select 1 from items i join unnest($1::uuid[]) as g (organization_id) using (organization_id)', 'organization'],
  ['select 1 from key_directory d join items i on i.organization_id = d.organization_id', 'organization'],
  ['select 1 from key_directory d where d.organization_id is null'],
]

const nestedCases: readonly Case[] = [
  [
    'select (select 1 from projects p where p.organization_id = i.organization_id) from items i where i.organization_id = $1',
  ],
  [
    'select (select 1 from projects p where p.id = i.project_id) from items i where i.organization_id = $1',
    'organization',
  ],
  ['select 1 from items i where i.organization_id = $1 and exists (select 1 from projects)', 'organization'],
  [
    'select 1 from (select organization_id from items where organization_id = $1) i join projects p using (organization_id)',
  ],
  ['select 1 from (select i.* from items i where organization_id = $1) i join projects p using (organization_id)'],
  ['with i as (select $1::uuid as organization_id) select 1 from i join projects p using (organization_id)'],
  ['with items as (select 1 as n) select 1 from items, projects p where p.organization_id = $1'],
  ['select 1 from items where organization_id = $1 union all select 1 from projects', 'organization'],
  [
    `with recursive up as (select organization_id, id from items where organization_id = $1
       union all select i.organization_id, i.id from up join items i on i.organization_id = up.organization_id)
     select 1 from up`,
  ],
  [
    'select 1 from projects p, lateral (select 1 from items i where i.organization_id = p.organization_id) l where p.organization_id = $1',
  ],
  ['select 1 where exists (select 1 from items i where i.organization_id = outside.organization_id)'],
]

const changeCases: readonly Case[] = [
  ['update items set name = $1 where organization_id = $2'],
  [
    'update items i set name = p.name from projects p where p.organization_id = i.organization_id',
    'organization',
    'organization',
  ],
  ['delete from items i using projects p where i.organization_id = $1 and p.organization_id = $1'],
  ['update items set organization_id = $1 where organization_id = $2', 'changed-organization'],
  ['update items set at = now() where organization_id = $1'],
  ['update items set at = clock_timestamp() where organization_id = $1', 'volatile'],
  ['select clock_timestamp() from items where organization_id = $1'],
  [
    'select 1 from items i join projects p on random() > 0 and p.organization_id = $1 where i.organization_id = $1',
    'volatile',
  ],
  ['select 1 from items where organization_id = $1 and month = item_month(at)'],
  ['select 1 from items where organization_id = $1 and count_items(id) > 0', 'volatile'],
  ['select id from items where organization_id = $1 for update skip locked'],
  ['select id from items for update skip locked', 'organization', 'skip-locked'],
  ['merge into items using projects p on true when matched then do nothing', 'unread'],
  ['truncate items', 'unread'],
  ['truncate key_directory'],
]

const insertCases: readonly Case[] = [
  ['insert into items (organization_id, id) values ($1, $2), ($1, $3) returning id'],
  ['insert into items (id) values ($1)', 'organization'],
  ['insert into items (organization_id) values (gen_random_uuid())', 'organization'],
  ['insert into items (organization_id, id) select organization_id, id from projects where organization_id = $1'],
  ['insert into items (organization_id, id) select $1, id from unnest($2::uuid[]) as g (id)', 'set-function'],
  ['insert into key_directory (organization_id) select id from unnest($1::uuid[]) as g (id)'],
  [
    'with g as (select id from unnest($1::uuid[]) as g (id)) insert into items (organization_id, id) select $2, id from g',
    'set-function',
  ],
  ['insert into items (organization_id, n) values ($1, (select 1))', 'subquery'],
  ['insert into items (organization_id, n) select $1, (select 1)', 'subquery'],
  ['delete from items where organization_id = $1 returning (select 1)', 'subquery'],
  ['insert into items (organization_id) values ($1) on conflict do nothing'],
  [
    `insert into items as i (organization_id) values ($1) on conflict (organization_id) do update
      set at = greatest(i.at, $2::timestamptz), n = excluded.n + 1, m = item_month(excluded.at)`,
  ],
  [
    'insert into items (organization_id) values ($1) on conflict (organization_id) do update set at = now()',
    'on-conflict',
  ],
  [
    'insert into items (organization_id) values ($1) on conflict (organization_id) do update set at = current_date',
    'on-conflict',
  ],
  [
    'insert into items (organization_id) values ($1) on conflict (organization_id) do update set at = excluded.t::timestamptz',
    'on-conflict',
  ],
  [
    `insert into items as i (organization_id) values ($1) on conflict (organization_id) do update set n = 1
      where i.at < $2 - $3::float8 * interval '1 second'`,
    'on-conflict',
  ],
]

for (const [name, cases] of Object.entries({ organizationCases, nestedCases, changeCases, insertCases })) {
  test(`each statement of ${name} has exactly its findings`, () => {
    for (const [text, ...kinds] of cases) assert.deepEqual(kindsOf(text), kinds, text)
  })
}

/** Statements for all organizations, and whether each node can run them on its own rows. */
const multiShardCases: readonly (readonly [text: string, isMultiShard: boolean])[] = [
  ['select organization_id, id from items where due_at <= $1 order by due_at, id limit $2', true],
  ['select distinct organization_id from items where due_at <= $1', true],
  ['select count(*) from items where id = $1', true],
  ['select 1 from items i join projects p on p.organization_id = i.organization_id and p.id = i.project_id', true],
  ['select 1 from items i left join projects p on p.organization_id = i.organization_id', true],
  ['select 1 from items i join projects p using (organization_id)', true],
  [
    'select 1 from items i where not exists (select 1 from projects p where p.organization_id = i.organization_id)',
    true,
  ],
  [
    'select 1 from items i where at <= (select n from unnest($1::uuid[], $2::int[]) as c (id, n) where c.id = i.id)',
    true,
  ],
  [
    `select organization_id, id from (select organization_id, id, at from items union all select organization_id, id, at
      from projects union all select organization_id, id, at from items where late) due order by at limit 10`,
    true,
  ],
  // Changes, locks and parts of a statement that run one after another.
  ['delete from items where due_at <= $1', false],
  ['update items set at = $1', false],
  ['insert into items (organization_id, id) select organization_id, id from projects', false],
  ['select id from items for update', false],
  ['select id from items for key share skip locked', false],
  ['with gone as (delete from items returning id) select id from gone', false],
  ['with due as (select organization_id, id from items) select id from due', false],
  // Rows of different nodes.
  ['select 1 from items i join projects p on p.id = i.project_id', false],
  ['select 1 from items i, projects p', false],
  ['select 1 from items i left join projects p on p.id = i.project_id', false],
  ['select 1 from items i where exists (select 1 from projects p where p.id = i.project_id)', false],
  ['select 1 from items where id in (select project_id from projects)', false],
  [
    'select 1 from items i where exists (select 1 from projects p where p.organization_id = i.organization_id limit 1)',
    false,
  ],
  ['select (select count(*) from projects p where p.organization_id = i.organization_id) from items i', false],
  ['select id from (select organization_id, id from items order by at limit 10) i', false],
  ['select id from (select distinct id from items) i', false],
  ['select id from (select id, max(at) from items group by id) i', false],
  ['select id, count(*) over () from items', false],
  ['select id from (select id, row_number() over (order by at) from items) i', false],
  ['select organization_id, id from items union select organization_id, id from projects', false],
  ['select organization_id, id from items union all select id, organization_id from projects', false],
  ['select id from (select id from items union all select id from projects) due', false],
  ['select 1 from (select organization_id from items) i, (select organization_id from projects) p', false],
  // What only the coordinator has.
  ['select 1 from key_directory d join items i on i.organization_id = d.organization_id', false],
  [
    'select 1 from items i where exists (select 1 from key_directory d where d.organization_id = i.organization_id)',
    false,
  ],
  ['select 1 from items i join unnest($1::uuid[]) as g (organization_id) using (organization_id)', false],
]

test('a read of all organizations is accepted exactly where each node can run it on its own rows', () => {
  for (const [text, isMultiShard] of multiShardCases)
    for (const statement of parseSql(text)) assert.equal(isMultiShardRead(statement, schema), isMultiShard, text)
})

test('the stores change nothing of an invoice but its status and when it was paid', () => {
  // What the trigger `invoices_fixed` refuses, on tables that are distributed and have no trigger.
  const { statements } = readStatements(readTree(join(import.meta.dirname, '..', '..'), []))
  const changed = statements.flatMap(({ variants }) =>
    variants
      .flatMap(({ tree }) => listQueries(tree))
      .flatMap((query) => {
        if (query.kind !== 'update' || query.query.relation?.relname !== 'invoices') return []
        return (query.query.targetList ?? []).map((node) => ('ResTarget' in node ? node.ResTarget.name : null))
      }),
  )
  assert.deepEqual(new Set(changed), new Set(['status', 'paid_at', 'number', 'sequence']))
})

test('one function appends to the journal of files: the one that writes their total', () => {
  const { statements } = readStatements(readTree(join(import.meta.dirname, '..', '..'), []))
  const appending = statements.filter(({ variants }) =>
    variants
      .flatMap(({ tree }) => listQueries(tree))
      .some(({ kind, query }) => kind === 'insert' && query.relation?.relname === 'storage_journal'),
  )
  assert.deepEqual(
    appending.map(({ file, name }) => [file, name]),
    [['packages/server/src/domains/usage/store.ts', 'insertStorageEntries']],
  )
})

test('the statements that write items are those that write their counts', () => {
  const { statements } = readStatements(readTree(join(import.meta.dirname, '..', '..'), []))
  const written = { insert: new Set<string>(), update: new Set<string>(), delete: new Set<string>() }
  const targets = new Map<string, (string | undefined)[][]>()
  for (const { file, name, variants } of statements) {
    for (const query of variants.flatMap(({ tree }) => listQueries(tree))) {
      if (query.kind === 'select' || query.query.relation?.relname !== 'items') continue
      written[query.kind].add(file)
      const columns = listTargets(writtenColumns(query))
      targets.set(name, [...(targets.get(name) ?? []), columns])
    }
  }
  const module = new Set(['packages/server/src/platform/database/item-counts/write-items.ts'])
  assert.deepEqual(written, { insert: module, update: module, delete: new Set() })
  assert.deepEqual(
    new Set(targets.keys()),
    new Set(['insertItemRows', 'moveItemRows', 'updateItemRows', 'updateUncountedColumns']),
  )
  assert.ok(targets.get('updateItemRows')!.length >= 6, 'the update of each caller is read')
  // A cached Feature is served until the revision of its item changes.
  for (const [name, lists] of targets)
    for (const columns of lists) if (name !== 'insertItemRows') assert.ok(columns.includes('revision'), name)
  const uncounted = ['expires_at', 'left_collection_id', 'updated_at', 'revision']
  const moved = new Set(targets.get('moveItemRows')!.flat())
  assert.deepEqual(moved, new Set(['collection_id', ...uncounted.filter((column) => column !== 'expires_at')]))
  // The state only changes from `expiring` to `active`; searches find both.
  assert.deepEqual(new Set(targets.get('updateUncountedColumns')!.flat()), new Set(['lifecycle_state', ...uncounted]))
})

test('one module writes the counts of items', () => {
  const { statements } = readStatements(readTree(join(import.meta.dirname, '..', '..'), []))
  const counts = new Set(['item_counts', 'item_months', 'item_properties'])
  const writers = statements.filter(({ variants }) =>
    variants
      .flatMap(({ tree }) => listQueries(tree))
      .some(({ kind, query }) => kind !== 'select' && counts.has(query.relation?.relname ?? '')),
  )
  assert.deepEqual(
    new Set(writers.map(({ file, name }) => `${file.split('/').at(-1)} ${name}`)),
    new Set(['write-counts.ts addCounts', 'write-counts.ts narrowMonths', 'write-counts.ts removeEmptyProperties']),
  )
})
