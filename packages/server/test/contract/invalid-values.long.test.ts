import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { operationRegistry } from '@swath/contract/registry.ts'
import { isPrivilegedScope } from '@swath/contract/scopes.ts'
import { newId } from '../../src/platform/ids.ts'
import { readExamples } from './examples/reads.ts'
import { writeExamples } from './examples/writes.ts'
import { licensedHostsFile } from '../hosts/licensed-hosts.ts'
import { createContractFixtures, type ContractFixtures } from './fixtures.ts'
import { startTestApp, type TestApp } from '../test-app.ts'
import { isTestedCase } from './short-form.ts'

let app: TestApp
let fixtures: ContractFixtures
before(async () => {
  app = await startTestApp({ environment: { CATALOG_HOSTS_FILE: licensedHostsFile } })
  fixtures = await createContractFixtures(app)
})
after(() => app?.close())

/** Values that are invalid for most fields. */
const invalidValues: readonly unknown[] = [
  null,
  true,
  -1,
  0.5,
  1e308,
  Number.MAX_SAFE_INTEGER,
  '',
  ' ',
  'x'.repeat(100_000),
  '\ud800',
  '\u202e',
  "'; drop table orders; --",
  '../../etc/passwd',
  [],
  [[]],
  [null],
  {},
  { type: 'Polygon' },
  { constructor: 1 },
  { $ref: '#' },
  '9'.repeat(400),
  'NaN',
  '%00',
  '*',
]

/** The short form tries a third of the values in each field, each value in a third of the fields. */
const selectValues = (field: number): readonly unknown[] =>
  invalidValues.filter((_, index) => isTestedCase(index + field, 3))

test('no value in any field of any operation causes a 5xx response', async () => {
  const failures: string[] = []
  let fields = 0
  for (const operation of operationRegistry) {
    const client = operation.scope !== null && isPrivilegedScope(operation.scope) ? fixtures.admin : fixtures.client
    const example: Record<string, unknown> = {
      ...(readExamples[operation.id] ?? writeExamples[operation.id]!)(fixtures),
    }
    const { properties } = operation.input as unknown as { properties: Record<string, unknown> }
    // The fixtures must not be deleted by a value that happens to be valid.
    const destructive = operation.effect === 'destructive' || operation.id.startsWith('projects.')
    if (destructive) for (const name of Object.keys(example)) if (name.endsWith('_id')) example[name] = newId()
    for (const name of Object.keys(properties)) {
      const values = selectValues(fields++)
      const responses = await Promise.all(
        values.map((value) =>
          client.fetch(`/v1/op/${operation.id}`, {
            method: 'POST',
            body: JSON.stringify({ ...example, [name]: value }),
          }),
        ),
      )
      for (const [index, response] of responses.entries()) {
        // An accepted stream lasts for minutes by default.
        const isEndless = response.ok && operation.response_kind === 'event-stream'
        const text = isEndless ? '' : await response.text()
        if (isEndless) await response.body!.cancel()
        const isProblem = (response.headers.get('content-type') ?? '').startsWith('application/problem+json')
        if (response.ok || (response.status < 500 && isProblem)) continue
        const value = JSON.stringify(values[index]).slice(0, 60)
        failures.push(`${operation.id} with ${name} = ${value}: ${response.status} ${text.slice(0, 200)}`)
      }
    }
  }
  assert.deepEqual(failures, [])
})
