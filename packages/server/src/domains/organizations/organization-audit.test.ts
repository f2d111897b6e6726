import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { AuditEntry } from '@swath/contract/schemas/event.ts'
import { openTestServices, type TestServices } from '../../../test/test-services.ts'
import type { Call } from '../../engine/call.ts'
import { isOperationResponse } from '../../engine/operation-response.ts'
import { createTaskContext } from '../../engine/task-definition.ts'
import { sql } from '../../platform/database/sql.ts'
import { newId } from '../../platform/ids.ts'
import { createLogger } from '../../platform/log.ts'
import { noopQueue } from '../../../test/noop-queue.ts'
import { platformOrganizationId } from '../audit-trail/entry.ts'
import { insertAuditEntry, type NewAuditEntry } from '../audit-trail/store.ts'
import { handler as organizationsAuditExport } from './operations/organizations.audit.export.ts'
import { handler as organizationsAuditList } from './operations/organizations.audit.list.ts'
import { handler as organizationsAuditVerify } from './operations/organizations.audit.verify.ts'
import { sealAuditTask } from './seal-audit.task.ts'

let services: TestServices
before(async () => {
  services = await openTestServices()
})
after(() => services?.close())

async function insertRow(organization_id: string, row: Partial<NewAuditEntry> = {}): Promise<string> {
  const id = newId()
  await insertAuditEntry(services.database.forOrganization(organization_id), {
    organization_id,
    id,
    at: services.clock.now(),
    principal_kind: 'human',
    principal_id: 'somebody',
    operation: 'items.update',
    target_type: 'item',
    target_id: 'one',
    reason: null,
    request_id: 'r',
    address: null,
    outcome: 'succeeded',
    problem: null,
    refusal_key: null,
    ...row,
  })
  return id
}

type Page = { readonly entries: readonly AuditEntry[]; readonly next?: string }

const list = (call: Call, input: object = {}): Promise<Page> =>
  organizationsAuditList.handle(call, { limit: 100, ...input } as never) as Promise<Page>

const idsOf = (page: Page): string[] => page.entries.map(({ id }) => id)

/** Runs the periodic task, two minutes later than the rows. */
async function seal(): Promise<void> {
  services.clock.advance(120_000)
  const context = createTaskContext(
    {
      database: services.database,
      clock: services.clock,
      blobs: services.blobs,
      integrations: services.integrations,
      processServices: services.processServices,
      seller: null as never,
      quotas: services.quotas,
      log: createLogger({ level: 'fatal' }),
    },
    noopQueue,
    {
      id: newId(),
      name: 'organizations.seal-audit',
      number: 0,
      last: true,
      organization: null,
      signal: new AbortController().signal,
    },
  )
  await sealAuditTask.run(context, {})
}

test('each filter selects the rows that it names, newest first', async () => {
  const { organization, owner } = await services.createOrganization()
  const before = services.clock.now()
  const update = await insertRow(organization)
  services.clock.advance(1000)
  const place = await insertRow(organization, { operation: 'orders.place', target_type: 'order', target_id: 'two' })
  const refused = await insertRow(organization, {
    principal_id: 'other',
    outcome: 'refused',
    problem: 'insufficient-scope',
  })
  await insertRow((await services.createOrganization()).organization)
  const all = [refused, place, update]
  const later = new Date(before.getTime() + 1).toISOString()
  const table: readonly [object, readonly string[]][] = [
    [{}, all],
    [{ principal_id: 'other' }, [refused]],
    [{ operation: 'orders.place' }, [place]],
    [{ operation: 'items.' }, [refused, update]],
    [{ operation: 'item' }, []],
    [{ target_type: 'order' }, [place]],
    [{ target_id: 'one' }, [refused, update]],
    [{ outcome: 'refused' }, [refused]],
    [{ problem: 'insufficient-scope' }, [refused]],
    [{ from: later }, [refused, place]],
    [{ until: later }, [update]],
    [{ target_id: 'one', outcome: 'succeeded' }, [update]],
  ]
  for (const [filter, expected] of table)
    assert.deepEqual(idsOf(await list(owner, filter)), expected, JSON.stringify(filter))
})

test('pages continue after the last row, also if rows are added meanwhile', async () => {
  const { organization, owner } = await services.createOrganization()
  const ids = [await insertRow(organization), await insertRow(organization), await insertRow(organization)]
  const first = await list(owner, { limit: 2 })
  assert.deepEqual(idsOf(first), [ids[2], ids[1]])
  await insertRow(organization)
  const second = await list(owner, { limit: 2, next: first.next })
  assert.deepEqual(idsOf(second), [ids[0]])
  assert.equal(second.next, undefined)
  await assert.rejects(list(owner, { limit: 2, next: first.next, outcome: 'failed' }), { problem: 'validation' })
})

test('the task seals the rows of all organizations and of the platform; exports and verification follow', async () => {
  const { organization, owner } = await services.createOrganization()
  await insertRow(organization, { reason: '=1+1' })
  await insertRow(organization)
  const ofPlatform = await insertRow(platformOrganizationId)
  await seal()
  await insertRow(organization)
  await seal()
  const { entries } = await list(owner)
  assert.deepEqual(
    entries.map(({ position }) => position),
    [3, 2, 1],
  )
  const verified = (await organizationsAuditVerify.handle(owner, {} as never)) as Record<string, unknown>
  assert.deepEqual([verified['valid'], verified['entries'], verified['unsealed']], [true, 3, 0])
  const lines = await organizationsAuditExport.handle(owner, { format: 'ndjson', after: 1, limit: 1 } as never)
  assert.ok(isOperationResponse(lines) && lines.kind === 'ndjson')
  const values: { id: string; previous_hash: string }[] = []
  for await (const line of lines.values) values.push(line as { id: string; previous_hash: string })
  assert.deepEqual(
    values.map(({ id, previous_hash }) => [id, previous_hash]),
    [[entries[1]!.id, entries[2]!.hash]],
  )
  const table = await organizationsAuditExport.handle(owner, { format: 'csv', after: 0 } as never)
  assert.ok(isOperationResponse(table) && table.kind === 'text')
  let text = ''
  for await (const chunk of table.chunks) text += chunk
  assert.equal(text.split('\r\n').length, 5)
  assert.match(text, /^organization_id,position,id,at,/)
  assert.ok(text.includes(",'=1+1,"), 'a text that a spreadsheet would evaluate is escaped')
  const [row] = await services.database.unscoped.query<{ position: number }>(
    sql`select position from audit_entries where id = ${ofPlatform}`,
  )
  assert.ok(row!.position > 0)
})
