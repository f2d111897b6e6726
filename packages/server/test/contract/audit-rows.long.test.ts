import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Client } from '@swath/client/client.ts'
import type { Operation } from '@swath/contract/operation.ts'
import { findOperation, operationRegistry } from '@swath/contract/registry.ts'
import { contractRoutes } from '@swath/contract/routes.ts'
import { isPrivilegedScope } from '@swath/contract/scopes.ts'
import { isAuditedOperation } from '../../src/engine/call-audit.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { newId } from '../../src/platform/ids.ts'
import { licensedHostsFile } from '../hosts/licensed-hosts.ts'
import { startTestApp, type TestApp } from '../test-app.ts'
import { writeExamples } from './examples/writes.ts'
import { createContractFixtures, type ContractFixtures } from './fixtures.ts'

let app: TestApp
let fixtures: ContractFixtures
before(async () => {
  app = await startTestApp({ environment: { CATALOG_HOSTS_FILE: licensedHostsFile } })
  fixtures = await createContractFixtures(app)
})
after(() => app?.close())

const writes = operationRegistry.filter(isAuditedOperation)

const clientFor = (operation: Operation): Client =>
  operation.id.startsWith('sandbox.')
    ? fixtures.sandbox
    : operation.scope?.startsWith('clip:')
      ? fixtures.clipUser
      : operation.scope !== null && isPrivilegedScope(operation.scope)
        ? fixtures.admin
        : fixtures.client

const reason = 'An operator had it.'
const isOperatorWrite = ({ scope }: Operation): boolean => scope === 'admin:write'

interface Row {
  readonly operation: string
  readonly outcome: string
  readonly problem: string | null
  readonly principal_id: string
  readonly address: string | null
  readonly reason: string | null
}

/** The rows of the call that returned a response. */
const rowsOf = (response: Response): Promise<Row[]> =>
  app.database.unscoped.query<Row>(sql`
    select operation, outcome, problem, principal_id, address, reason from audit_entries
    where request_id = ${response.headers.get('x-request-id')}`)

test('every write operation leaves one row with its outcome, and with the reason of an operator', async () => {
  const missing: string[] = []
  let succeeded = 0
  for (const operation of writes) {
    const response = await clientFor(operation).fetch(`/v1/op/${operation.id}`, {
      method: 'POST',
      body: JSON.stringify({
        ...writeExamples[operation.id]!(fixtures),
        ...(isOperatorWrite(operation) ? { reason } : {}),
      }),
    })
    await response.arrayBuffer()
    const rows = await rowsOf(response)
    const isRight =
      rows.length === 1 &&
      rows[0]!.operation === operation.id &&
      rows[0]!.outcome === (response.ok ? 'succeeded' : 'refused') &&
      (rows[0]!.problem === null) === response.ok &&
      rows[0]!.address !== null &&
      rows[0]!.reason === (isOperatorWrite(operation) ? reason : null)
    if (!isRight) missing.push(`${operation.id}: ${response.status}, ${JSON.stringify(rows)}`)
    if (response.ok) succeeded++
  }
  assert.deepEqual(missing, [])
  assert.ok(succeeded > 60, `only ${succeeded} of the examples succeed`)
})

test('every route of a write operation leaves a row, also for a refused call', async () => {
  const refused: string[] = []
  /** Equal refusals of one caller share a row, so each further route of an operation has another caller. */
  const keys: string[] = []
  const uses = new Map<string, number>()
  for (const operation of writes.filter(({ public: isPublic, scope }) => !isPublic && scope !== null)) {
    const aliases = contractRoutes.filter((route) => route.operation === operation.id)
    const all = [
      { method: 'POST', path: `/v1/op/${operation.id}` },
      { method: 'POST', path: `/v1/${operation.id.replaceAll('.', '/')}` },
      ...aliases.filter(({ method }) => method !== 'GET' || findOperation(operation.id)!.effect !== 'read'),
    ]
    for (const { method, path } of all) {
      const index = uses.get(operation.id) ?? 0
      uses.set(operation.id, index + 1)
      keys[index] ??= (
        await fixtures.client.call<{ key: string }>('api_keys.create', {
          name: newId(),
          permissions: ['eulas:read'],
        })
      ).key
      const response = await fetch(`${app.url}${path.replaceAll(/\{\w+\}/g, fixtures.item)}`, {
        method,
        headers: { authorization: `Bearer ${keys[index]}` },
        redirect: 'manual',
      })
      await response.arrayBuffer()
      const rows = await rowsOf(response)
      if (rows.length !== 1 || rows[0]!.problem !== 'insufficient-scope')
        refused.push(`${method} ${path}: ${response.status} ${JSON.stringify(rows)}`)
    }
  }
  assert.deepEqual(refused, [])
  assert.ok(keys.length > 2, 'some operations have further routes')
})

test('a read leaves no row', async () => {
  const response = await fixtures.client.fetch('/v1/op/items.get', {
    method: 'POST',
    body: JSON.stringify({ item_id: fixtures.item }),
  })
  assert.equal(response.status, 200)
  assert.deepEqual(await rowsOf(response), [])
})
