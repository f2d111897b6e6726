import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkStatements } from './check-statements.ts'
import { statementRules, toParsedStatement, type ParsedStatement } from './rules.ts'
import type { SchemaFacts } from './schema-facts.ts'
import { parseSql } from './syntax.ts'

const form = (name: string, is_volatile: boolean, min_arguments: number, max_arguments: number | null) => ({
  name,
  is_volatile,
  min_arguments,
  max_arguments,
})

const facts: SchemaFacts = {
  tenantTables: new Set(['items', 'projects', 'events', 'event_subscriptions', 'memberships', 'invoices']),
  references: [{ table: 'items', target: 'projects' }],
  mutableFunctions: new Map([
    ['now', [form('now', false, 0, 0)]],
    ['clock_timestamp', [form('clock_timestamp', true, 0, 0)]],
    ['length', [form('length', false, 2, 2)]],
    ['concat', [form('concat', false, 1, null)]],
  ]),
}

type Statements = readonly string[]

const organization = 'organization_id = $1'
const insertItem = 'insert into items as i (organization_id, n) values ($1, $2)'
const onConflict = `${insertItem} on conflict (organization_id) do update set`

/** Statements by the rule that refuses them, each for one thing, and statements that it accepts. */
const cases: Readonly<
  Record<string, { readonly role?: 'across'; readonly refused: Statements; readonly accepted: Statements }>
> = {
  'empty-select-list': {
    refused: [
      'select from items',
      'select exists (select from items)',
      'select a from (values (1, exists (select from items))) as due (a, b)',
      'select 1 from items union all select from items',
    ],
    accepted: ['select exists (select 1 from items)', 'values (1)', 'select 1 union all select 2'],
  },
  'known-kind': {
    refused: ['merge into items using projects p on true when matched then do nothing', 'truncate items'],
    accepted: ['truncate key_directory', 'set constraints all immediate', 'select 1'],
  },
  'insert-in-with': {
    refused: [
      `with added as (${insertItem} returning n) select n from added join projects on true`,
      `with added as (${insertItem} returning n) select n from added, (select 1) as other`,
      `with added as (${insertItem} returning n) select n from added where exists (select 1 from projects where p = added.n)`,
      `with added as (${insertItem} returning n) update projects set n = added.n from added where ${organization}`,
      `with added as (${insertItem} returning n) delete from projects using added where ${organization} and id = added.n`,
      `with child as (${insertItem}) insert into projects (organization_id) values ($1)`,
    ],
    accepted: [
      `with added as (${insertItem} returning n) select (select count(*) from added) as count`,
      `with added as (${insertItem} returning n), all_added as (select n from added) select 1`,
      `with parent as (insert into projects (organization_id) values ($1)) ${insertItem}`,
      `with gone as (delete from items where ${organization} returning n) select n from gone join projects p on p.n = gone.n`,
      'with added as (insert into key_directory (id) values ($1) returning id) select 1 from added, users',
    ],
  },
  'inserted-rows': {
    refused: [
      'insert into items (organization_id, n) select $1, n from unnest($2::int[]) as g (n)',
      'with g as (select n from unnest($2::int[]) as g (n)) insert into items (organization_id, n) select $1, n from g',
      'insert into items (organization_id, n) select $1, $2',
      'insert into items (organization_id, n) values ($1, (select 1))',
      `${onConflict} n = (select 1)`,
      `delete from items where ${organization} returning (select 1)`,
    ],
    accepted: [
      'insert into items (organization_id, n) values ($1, $2), ($1, $3) returning n',
      `insert into items (organization_id, n) select organization_id, $2 from projects where ${organization}`,
      `insert into items (organization_id, n)
       select p.organization_id, q.n from projects p join projects q on q.organization_id = p.organization_id
       where p.organization_id = $1`,
      'insert into key_directory (id) select id from unnest($1::uuid[]) as g (id)',
    ],
  },
  organization: {
    refused: [
      'update items set n = $1 where id = $2',
      'update items set n = $1',
      `update items set n = $1 where ${organization} or id = $2`,
      'update items set n = $1 where organization_id <> $2',
      'update items set n = $1 where organization_id = any($2)',
      'update items i set n = p.n from projects p where p.organization_id = $1',
      'delete from items where id = $1',
      'insert into items (id) values ($1)',
      'insert into items (organization_id, n) values ($1, 1), (gen_random_uuid(), 2)',
      'insert into items (organization_id, n) select organization_id, n from projects where id = $1',
      'select 1 from items where id = $1 for update skip locked',
      `update items set organization_id = $1 where ${organization}`,
      `${onConflict} organization_id = excluded.organization_id`,
    ],
    accepted: [
      `update items set n = $1 where ${organization} and id = $2`,
      'update items i set n = p.n from projects p where i.organization_id = $1::uuid and p.id = i.id',
      `delete from items where $1 = organization_id`,
      'insert into items (organization_id, n) values ($1::uuid, $2)',
      'select 1 from items where id = $1',
      `select 1 from items where ${organization} for update`,
      'update users set name = $1 where id = $2',
      'select 1 from users where id = $1 for update',
    ],
  },
  'read-organization': {
    role: 'across',
    refused: [
      `update items i set n = p.n from projects p where i.${organization} and p.id = i.project_id`,
      `delete from items using projects p where items.${organization} and p.id = items.project_id`,
      `delete from items where ${organization} and id in (select id from items where done limit 1)`,
      `delete from items where ${organization} and id in (
         select i.id from items i join projects p on p.organization_id = i.organization_id)`,
      `update items set n = $2 where ${organization} and exists (select 1 from projects p where p.organization_id = any($3))`,
      `with first as (select id from projects order by id limit 1) delete from items where ${organization} and id = $2`,
      `select 1 from items i join projects p on p.id = i.project_id where i.${organization} for update of i`,
    ],
    accepted: [
      `update items i set n = p.n from projects p where i.${organization} and p.organization_id = i.organization_id`,
      `update items i set n = p.n from projects p where i.${organization} and p.organization_id = $1::uuid`,
      `update items i set n = v.n from unnest($2::int[]) as v (n) where i.${organization}`,
      `delete from items i where i.${organization} and exists (
         select 1 from projects p join memberships m on m.organization_id = p.organization_id
         where p.organization_id = i.organization_id)`,
      `delete from items where ${organization} and id in (select id from invoices where ${organization})`,
      `with gone as (delete from items where ${organization} returning organization_id, id)
       select 1 from gone join projects p on p.organization_id = gone.organization_id`,
      'delete from key_directory where id in (select id from users)',
      'select 1 from items i join projects p on p.id = i.project_id',
    ],
  },
  'mutable-expression': {
    refused: [
      `update items set at = case when $2 then now() end where ${organization}`,
      `update items set at = greatest(at, now()) where ${organization}`,
      `update items set at = at + interval '1 day' where ${organization}`,
      `update items set at = clock_timestamp() where ${organization}`,
      `update items set at = coalesce($2, current_date) where ${organization}`,
      `update items set at = t::timestamptz where ${organization}`,
      `update items set n = length(a, b) where ${organization}`,
      `update items set n = concat(a, b, c) where ${organization}`,
      `delete from items where ${organization} and at < clock_timestamp()`,
      `${onConflict} at = now()`,
      `${onConflict} n = 1 where i.at < $2 - $3::float8 * interval '1 second'`,
    ],
    accepted: [
      `update items set at = now(), day = current_date where ${organization}`,
      `update items set at = $2::timestamptz, n = length(a) + 1 where ${organization}`,
      `update items set n = $2 where ${organization} and at < now()`,
      `${onConflict} n = greatest(i.n, excluded.n)`,
      `select now() from items where ${organization}`,
      'update users set at = now()',
    ],
  },
}

const findNames = (text: string, role: ParsedStatement['role'] = 'app'): string[] =>
  parseSql(text).flatMap((tree) => {
    const statement = toParsedStatement(tree, facts, role)
    return statementRules.flatMap(({ name, find }) => find(statement, facts).map(() => name))
  })

for (const { name } of statementRules) {
  test(`${name} refuses what an engine refuses, and nothing else`, () => {
    const { role, refused, accepted } = cases[name] ?? assert.fail(`${name} has no statements`)
    for (const text of refused) assert.deepEqual(new Set(findNames(text, role)), new Set([name]), text)
    for (const text of accepted) assert.deepEqual(findNames(text, role), [], text)
  })
}

test('the policy limits what is read as the role of one organization', () => {
  for (const text of cases['read-organization']!.refused) assert.deepEqual(findNames(text), [], text)
})

const sender = { file: 'domains/projects/store.ts', line: 7, name: 'addProjects', role: 'app' } as const

test('a finding names the sender, the reason and the statement', () => {
  const [finding, ...others] = checkStatements([{ ...sender, text: 'insert into projects (n) values ($1)' }], facts)
  assert.deepEqual(others, [])
  assert.match(
    finding!,
    /^domains\/projects\/store\.ts:7 addProjects changes rows of projects of any organization \(organization: /,
  )
  assert.match(finding!, /insert into projects \(n\) values \(\$1\)$/)
})

test('lists of VALUES of different lengths are checked once', () => {
  const texts = ['($1)', '($1), ($2)', '($1),\n ($2), ($3)'].map((rows) => `insert into projects (n) values ${rows}`)
  assert.equal(
    checkStatements(
      texts.map((text) => ({ ...sender, text })),
      facts,
    ).length,
    1,
  )
})
