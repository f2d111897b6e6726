import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { createFaultyHost } from '../../../../packages/server/test/hosts/faulty-host.ts'
import { deliverSmallScene } from '../../../../packages/server/test/processing/jobs.ts'
import { startTestApp, type TestApp } from '../../../../packages/server/test/test-app.ts'
import { createTestOrganization, type TestOrganization } from '../../../../packages/server/test/test-organizations.ts'
import type { JsonSchema } from '../../json-schema.ts'
import { processesRoutes } from './processes-routes.ts'

let app: TestApp
let org: TestOrganization
let item: string
before(async () => {
  app = await startTestApp({ hosts: [await createFaultyHost('good')] })
  org = await createTestOrganization(app, 100_000)
  item = (await deliverSmallScene(org.owner.client)).item
})
after(() => app?.close())

/** A schema that accepts no member that it does not name. */
function close(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(close)
  if (typeof schema !== 'object' || schema === null) return schema
  const closed = Object.fromEntries(Object.entries(schema).map(([name, part]) => [name, close(part)]))
  return 'properties' in schema && !('additionalProperties' in schema)
    ? { ...closed, additionalProperties: false }
    : closed
}

const ajv = new Ajv2020({ allErrors: true, strict: false })
addFormats.default(ajv)

/** A row of a call: `{job}` is the job of the last execution. */
type Row = readonly [method: string, path: string, status: number, body?: object, prefer?: string]

const inputs = () => ({ item, title: 'Described' })
const rows = (root: string): readonly Row[] => [
  ['GET', root, 200],
  ['GET', `${root}/conformance`, 200],
  ['GET', `${root}/processes`, 200],
  ['GET', `${root}/processes/clip`, 200],
  ['POST', `${root}/processes/format-conversion/validation`, 200, { inputs: inputs() }],
  ['POST', `${root}/processes/format-conversion/cost`, 200, { inputs: inputs() }],
  ['POST', `${root}/processes/format-conversion/execution`, 201, { inputs: inputs() }, 'respond-async'],
  ['GET', `${root}/jobs?limit=1`, 200],
  ['GET', `${root}/jobs/{job}`, 200],
]

const standardRows: readonly Row[] = [
  ['POST', '/processing/processes/format-conversion/execution', 200, { response: 'raw' }],
  ['POST', '/processing/processes/format-conversion/execution', 200, { response: 'document' }],
  [
    'POST',
    '/processing/processes/format-conversion/execution',
    200,
    { response: 'document', outputs: { items: { transmissionMode: 'reference' } } },
  ],
  ['DELETE', '/processing/jobs/{job}', 200],
]

test('the answers of the routes have the schemas of the document, and no other members', async () => {
  let job = ''
  const all = [...rows('/processing'), ...rows('/v2/processing'), ...rows('/processing').slice(6, 7), ...standardRows]
  for (const [method, path, status, given, prefer] of all) {
    const body = given && JSON.stringify({ inputs: inputs(), ...given })
    const response = await org.owner.client.fetch(path.replace('{job}', job), {
      method,
      ...(body === undefined ? {} : { body }),
      headers: { 'content-type': 'application/json', ...(prefer === undefined ? {} : { prefer }) },
    })
    const document = (await response.json()) as { readonly jobID?: string }
    assert.equal(response.status, status, `${method} ${path} ${JSON.stringify(document)}`)
    job = document.jobID ?? job
    const schema = findSchema(method, path, status, response.headers.get('content-type')!.split(';')[0]!)
    const validate = ajv.compile(
      path.includes('execution') && !('jobID' in document) ? schema : (close(schema) as object),
    )
    assert.ok(validate(document), `${method} ${path}: ${ajv.errorsText(validate.errors)} ${JSON.stringify(document)}`)
  }
})

function findSchema(method: string, path: string, status: number, mediaType: string): JsonSchema {
  const shape = (text: string) => text.split('?')[0]!.replace(/(?<=processes\/)[^/]+|(?<=jobs\/)[^/]+/, '{}')
  const route = processesRoutes.find(
    (described) => described.method === method && shape(described.path) === shape(path),
  )
  const schema = route?.answers[status]?.[mediaType]
  assert.ok(schema, `${method} ${path} ${status} ${mediaType} is not described`)
  return schema
}
