import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { operationRegistry } from '@swath/contract/registry.ts'
import { isPrivilegedScope } from '@swath/contract/scopes.ts'
import type { Client } from '@swath/client/client.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { createTestOrganization, createTestUser } from '../test-organizations.ts'
import { readExamples } from './examples/reads.ts'
import { writeExamples } from './examples/writes.ts'
import { createContractFixtures, type ContractFixtures } from './fixtures.ts'
import { startTestApp, type TestApp } from '../test-app.ts'

let app: TestApp
let fixtures: ContractFixtures
before(async () => {
  app = await startTestApp()
  fixtures = await createContractFixtures(app)
})
after(() => app?.close())

/** Times that a standard permits, and that a clock, a date computation or a database may not be able to hold. */
const extremeTimes = [
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00Z',
  '0001-01-01T00:00:00+12:00',
  '1969-12-31T23:59:59Z',
  '2016-12-31T23:59:60Z',
  '2026-01-01T00:00:00Z[Europe/Paris]',
  '9999-12-31T23:59:59.999Z',
  '9999-12-31T23:59:59-12:00',
  '9999-12-31',
]
const extremeIntervals = ['../0000-01-01T00:00:00Z', '0001-01-01T00:00:00Z/9999-12-31T23:59:59.999Z', '9999-12-31/..']
const extremeMonths = ['0000-01', '0001-01', '9999-12']

interface Schema {
  readonly format?: string
  readonly pattern?: string
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
}

type Path = readonly (string | number)[]

/** The members of an input that hold a time, with the values to try. */
function timeMembers(schema: Schema, path: Path = []): { readonly path: Path; readonly values: readonly string[] }[] {
  const { format, pattern, anyOf = [], items, properties = {} } = schema
  if (format === 'date-time' || format === 'date') return [{ path, values: extremeTimes }]
  if (path.at(-1) === 'period' && pattern !== undefined) return [{ path, values: extremeMonths }]
  if (path.at(-1) === 'datetime' && !anyOf.some((inner) => inner.format))
    return [{ path, values: [...extremeTimes, ...extremeIntervals] }]
  return [
    ...anyOf.flatMap((inner) => timeMembers(inner, path)),
    ...(items ? timeMembers(items, [...path, 0]) : []),
    ...Object.entries(properties).flatMap(([name, member]) => timeMembers(member, [...path, name])),
  ]
}

/** The value with one member replaced, at any depth; the objects on the way are created. */
function withMember(value: unknown, [name, ...rest]: Path, member: unknown): unknown {
  if (name === undefined) return member
  if (typeof name === 'number') {
    const [first, ...others] = Array.isArray(value) ? value : [{}]
    return [withMember(first, rest, member), ...others]
  }
  const members = (value ?? {}) as Readonly<Record<string, unknown>>
  return { ...members, [name]: withMember(members[name], rest, member) }
}

/** Calls whose time is read only in a state that the fixtures do not have. */
const preparations: Readonly<Record<string, () => Promise<{ client: Client; members: object }>>> = {
  'organizations.create': async () => ({ client: (await createTestUser(app)).client, members: { sandbox: true } }),
  'admin.commitments.create': async () => ({ client: app.admin, members: await createEnterprise() }),
  'admin.commitments.amend': async () => {
    const members = await createEnterprise()
    const example = writeExamples['admin.commitments.create']!(fixtures)
    const { commitment } = await app.admin.call<{ commitment: { id: string } }>('admin.commitments.create', {
      ...example,
      ...members,
    })
    return { client: app.admin, members: { ...members, commitment_id: commitment.id } }
  },
}

async function createEnterprise(): Promise<{ organization_id: string }> {
  const { organization: organization_id } = await createTestOrganization(app, 0)
  await app.database.unscoped.query(sql`
    update organizations set enterprise_billing = true, plan = 'enterprise' where organization_id = ${organization_id}`)
  return { organization_id }
}

test('no time in any field of any operation causes a 5xx response', async () => {
  const failures: string[] = []
  const accepted = new Set<string>()
  for (const { id, input, scope } of operationRegistry) {
    for (const { path, values } of timeMembers(input as Schema)) {
      for (const value of values) {
        const prepared = await preparations[id]?.()
        const client =
          prepared?.client ?? (scope !== null && isPrivilegedScope(scope) ? fixtures.admin : fixtures.client)
        const example = { ...(readExamples[id] ?? writeExamples[id]!)(fixtures), ...prepared?.members }
        const body = JSON.stringify(withMember(example, path, value))
        const response = await client.fetch(`/v1/op/${id}`, { method: 'POST', body })
        const text = await response.text()
        if (response.ok) accepted.add(`${id} ${path.join('.')}`)
        if (response.status >= 500)
          failures.push(`${id} with ${path.join('.')} = ${value}: ${response.status} ${text.slice(0, 200)}`)
      }
    }
  }
  assert.deepEqual(failures, [])
  assert.ok(accepted.size > 30, [...accepted].join('\n'))
  for (const field of ['organizations.create sandbox_time', 'admin.commitments.amend period_end'])
    assert.ok(accepted.has(field), field)
})
