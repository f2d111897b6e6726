import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Client } from '@swath/client/client.ts'
import { createFaultyHost } from '../hosts/faulty-host.ts'
import { createTestOrganization, type TestOrganization } from '../test-organizations.ts'
import { startTestApp, type TestApp } from '../test-app.ts'
import { deliverSmallScene, waitForJob } from './jobs.ts'
import { processDescriptionSchema } from './ogc-schemas.ts'

// The rules of OGC API - Processes, part 1, version 1.0 (OGC 18-062r2): one row, one request.

let app: TestApp
let org: TestOrganization
let client: Client
let item: string
let itemUrl: string
/** Jobs that have ended, oldest first; each has another form of results. */
const jobs: Record<string, string> = {}

const execution = '/processing/processes/format-conversion/execution'

type Json = Record<string, any> // oxlint-disable-line no-explicit-any -- documents of an outside standard

interface Asked {
  readonly method?: string
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

const ask = (path: string, { method, body, headers = {} }: Asked = {}): Promise<Response> =>
  client.fetch(path, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
  })

const byReference = { items: { transmissionMode: 'reference' } }
const byValue = { items: { transmissionMode: 'value', format: { mediaType: 'application/geo+json' } } }

const forms = {
  'raw-value': {},
  'raw-reference': { response: 'raw', outputs: byReference },
  'document-value': { response: 'document', outputs: byValue },
  'document-reference': { response: 'document', outputs: byReference },
} as const

before(async () => {
  app = await startTestApp({ hosts: [await createFaultyHost('good')] })
  org = await createTestOrganization(app, 100_000)
  client = org.owner.client
  item = (await deliverSmallScene(client)).item
  itemUrl = `${app.url}/v1/op/items.get_stac?item_id=${item}`
  for (const [form, request] of Object.entries(forms)) {
    const body = { inputs: { item, title: form }, ...request }
    const response = await ask(execution, { body, headers: { prefer: 'respond-async' } })
    assert.equal(response.status, 201, await response.clone().text())
    assert.equal(response.headers.get('preference-applied'), 'respond-async')
    jobs[form] = ((await response.json()) as Json)['jobID']
    await waitForJob(client, jobs[form]!, 'completed')
  }
})
after(() => app?.close())

test('every process description is valid in the schema of version 1.0', async () => {
  const isValid = new Ajv2020({ allErrors: true }).compile(processDescriptionSchema)
  const { processes } = (await (await ask('/processing/processes')).json()) as Json
  assert.ok(processes.length >= 17)
  for (const { id } of processes) {
    const description = (await (await ask(`/processing/processes/${id}`)).json()) as Json
    assert.ok(isValid(description), `${id} ${JSON.stringify(isValid.errors?.slice(0, 3))}`)
    assert.deepEqual(description['outputTransmission'], ['value', 'reference'])
  }
  for (const schema of [
    { type: ['string', 'null'] },
    { const: 1 },
    { minimum: 1, exclusiveMinimum: 1 },
    { type: 'array' },
  ])
    assert.equal(
      isValid({ id: 'a', version: '1', inputs: { a: { schema } }, outputs: {} }),
      false,
      JSON.stringify(schema),
    )
})

type Row = readonly [path: string, jobs: readonly string[] | number]

const in2020 = '2020-01-01T00:00:00Z'
const all = ['document-reference', 'document-value', 'raw-reference', 'raw-value']

const listRows: readonly Row[] = [
  ['', all],
  ['limit=1', ['document-reference']],
  ['limit=2&page=1', ['raw-reference', 'raw-value']],
  ['limit=100000000', all],
  ['type=process', all],
  ['type=process&type=process', all],
  ['type=other', 400],
  ['status=successful', all],
  ['status=running,accepted', []],
  ['status=failed&status=successful', all],
  ['status=completed', 400],
  ['processID=format-conversion', all],
  ['processID=clip&processID=format-conversion', all],
  ['processID=clip,slope', []],
  ['processID=no-such-process', []],
  [`datetime=${in2020}/..`, all],
  [`datetime=${in2020}/`, all],
  [`datetime=../${in2020}`, []],
  [`datetime=${in2020}`, []],
  ['datetime=2020-01-01T02:00:00+02:00/..', all],
  ['datetime=2021-01-01T00:00:00Z/2020-01-01T00:00:00Z', 400],
  ['datetime=yesterday', 400],
  ['minDuration=0', all],
  ['minDuration=100000', []],
  ['maxDuration=100000', all],
  ['minDuration=100000&minDuration=0', all],
  ['minDuration=0,1&maxDuration=0,100000', all],
  ['minDuration=1.5', 400],
  ['maxDuration=long', 400],
  ['maxDuration=-1', 400],
  ['limit=0', 400],
  ['limit=-1', 400],
  ['limit=ten', 400],
  ['limit=1.5', 400],
  ['limit=', 400],
  ['page=-1', 400],
  ['sort=created,asc', all.toReversed()],
  ['sort=colour', 400],
  ['ids=no-id', []],
  ['workspaceId=no-id', 400],
  ['f=json', all],
]

test('the parameters of the job list select jobs, and invalid values are refused by name', async () => {
  const titles = new Map(Object.entries(jobs).map(([form, id]) => [id, form]))
  for (const [query, expected] of listRows) {
    const response = await ask(`/processing/jobs?${query}`)
    const body = (await response.json()) as Json
    if (typeof expected === 'number') {
      assert.deepEqual([response.status, body['errors'][0].path], [expected, query.split('=')[0]], query)
      continue
    }
    const found = body['jobs'].map(({ jobID }: Json) => titles.get(jobID))
    assert.deepEqual([response.status, found], [200, expected], query)
  }
})

const pageRows: readonly (readonly [path: string, count: number, rels: readonly string[]])[] = [
  ['/processing/jobs?limit=2', 2, ['self', 'next']],
  ['/processing/jobs?limit=2&page=1&status=successful', 2, ['self', 'prev']],
  ['/processing/jobs?limit=1&page=1&datetime=2020-01-01T00:00:00Z/..', 1, ['self', 'next', 'prev']],
  ['/processing/processes', 17, ['self']],
  ['/processing/processes?limit=5', 5, ['self', 'next']],
  ['/processing/processes?limit=10&page=1', 7, ['self', 'prev']],
  ['/processing/processes?limit=5&page=9', 0, ['self', 'prev']],
]

test('pages of lists link to each other with the parameters of the request', async () => {
  const read = async (path: string) => {
    const { links, jobs: found, processes } = (await (await ask(path)).json()) as Json
    const ids = (found ?? processes).map(({ jobID, id }: Json) => jobID ?? id) as string[]
    return { ids, links: new Map((links as Json[]).map(({ rel, href }) => [rel, href.slice(app.url.length)])) }
  }
  for (const [path, count, rels] of pageRows) {
    const { ids, links } = await read(path)
    assert.deepEqual([ids.length, [...links.keys()]], [count, rels], path)
    assert.deepEqual((await read(links.get('self')!)).ids, ids, path)
    const next = links.get('next')
    if (next === undefined) continue
    const following = await read(next)
    assert.ok(following.ids.length > 0 && !following.ids.some((id) => ids.includes(id)), path)
    assert.deepEqual((await read(following.links.get('prev')!)).ids, ids, path)
  }
  for (const query of ['limit=0', 'limit=x', 'page=x'])
    assert.equal((await ask(`/processing/processes?${query}`)).status, 400, query)
})

const refusedExecutions: readonly (readonly [body: unknown, path: string])[] = [
  [[], ''],
  [{ inputs: { item: 'x'.repeat(3000) } }, 'inputs.item'],
  [{ inputs: {} }, 'inputs.item'],
  [{ inputs: { item: 'a', colour: 'red' } }, 'inputs.colour'],
  [{ inputs: { item: 'a', format: 'jpeg2000' } }, 'inputs.format'],
  [{ inputs: { item: { value: 7 } } }, 'inputs.item'],
  [{ inputs: { item: 'a' }, outputs: { rendering: {} } }, 'outputs.rendering'],
  [{ inputs: { item: 'a' }, outputs: ['items'] }, 'outputs'],
  [{ inputs: { item: 'a' }, outputs: { items: 'value' } }, 'outputs.items'],
  [{ inputs: { item: 'a' }, outputs: { items: { transmissionMode: 'mail' } } }, 'outputs.items.transmissionMode'],
  [
    { inputs: { item: 'a' }, outputs: { items: { format: { mediaType: 'image/png' } } } },
    'outputs.items.format.mediaType',
  ],
  [{ inputs: { item: 'a' }, response: 'letter' }, 'response'],
  [{ inputs: { item: 'a' }, subscriber: { successUri: 'https://example.org/done' } }, 'subscriber'],
]

test('what an execution cannot honour is refused by name', async () => {
  for (const [body, path] of refusedExecutions) {
    const response = await ask(execution, { body })
    const { errors, detail, type } = (await response.json()) as Json
    const row = JSON.stringify(body).slice(0, 200)
    assert.deepEqual([response.status, errors?.[0]?.path], [400, path], row)
    assert.equal(typeof detail, 'string', row)
    assert.match(type, /\/problems\/invalid-parameter$/, row)
  }
  const validation = '/processing/processes/format-conversion/validation'
  const refused = await ask(validation, { body: { inputs: { item: 'a', colour: 'red' } } })
  assert.deepEqual([refused.status, ((await refused.json()) as Json)['errors'][0].path], [400, 'inputs.colour'])
  assert.equal((await ask(validation, { body: { inputs: { item } } })).status, 200)
})

test('a repeated execution with an idempotency key is answered as the first one', async () => {
  const nothing = '/processing/processes/nothing/execution'
  for (const [path, body, status, type] of [
    [execution, { inputs: { item, colour: 'red' } }, 400, 'invalid-parameter'],
    [execution, { inputs: { item: jobs['raw-value'] } }, 404, 'not-found'],
    [nothing, { inputs: { item } }, 404, 'no-such-process'],
  ] as const) {
    const headers = { 'idempotency-key': `${type} of ${path}` }
    const answers = [await ask(path, { body, headers }), await ask(path, { body, headers })]
    const [first, second] = (await Promise.all(answers.map((answer) => answer.json()))) as [Json, Json]
    assert.deepEqual([answers[0]!.status, first['type'].split('/').at(-1)], [status, type])
    assert.deepEqual({ ...second, trace_id: '' }, { ...first, trace_id: '' })
    assert.equal(typeof first['detail'], 'string')
  }
})

interface ResultRow {
  readonly status: number
  readonly media_type: string | null
  readonly read: (body: Json, link: string) => unknown
  readonly expected: unknown
}

const resultRows: Readonly<Record<keyof typeof forms, ResultRow>> = {
  'raw-value': {
    status: 200,
    media_type: 'application/geo+json; charset=utf-8',
    read: ({ type, features }) => [type, features.length, features[0].type],
    expected: ['FeatureCollection', 1, 'Feature'],
  },
  'raw-reference': { status: 204, media_type: null, read: (_body, link) => /rel="item"/.test(link), expected: true },
  'document-value': {
    status: 200,
    media_type: 'application/json; charset=utf-8',
    read: ({ items }) => [items.mediaType, items.value.type, items.value.features.length],
    expected: ['application/geo+json', 'FeatureCollection', 1],
  },
  'document-reference': {
    status: 200,
    media_type: 'application/json; charset=utf-8',
    read: ({ items }) => [items.length, items[0].type, typeof items[0].href],
    expected: [1, 'application/geo+json', 'string'],
  },
}

test('results have the form that their execution asked for, at once or later', async () => {
  for (const [form, { status, media_type, read, expected }] of Object.entries(resultRows)) {
    const body = { inputs: { item, title: form }, ...forms[form as keyof typeof forms] }
    for (const response of [await ask(`/processing/jobs/${jobs[form]}/results`), await ask(execution, { body })]) {
      const text = await response.text()
      assert.deepEqual([response.status, response.headers.get('content-type')], [status, media_type], `${form} ${text}`)
      const document = text === '' ? {} : (JSON.parse(text) as Json)
      assert.deepEqual(read(document, response.headers.get('link') ?? ''), expected, form)
    }
    const { headers } = await ask(execution, { body })
    assert.match(headers.get('link') ?? '', /^<[^>]+\/processing\/jobs\/[^>]+>; rel=monitor/, form)
  }
})

test('the job of an operation has a document of references', async () => {
  const { job } = await client.call<{ job: { id: string } }>('processing.execute', {
    process_id: 'format-conversion',
    workspaceId: org.project,
    inputs: { item, title: 'Operation' },
  })
  await waitForJob(client, job.id, 'completed')
  const results = (await (await ask(`/processing/jobs/${job.id}/results`)).json()) as Json
  assert.match(results['items'][0].href, /items\.get_stac/)
  assert.equal((await ask(`/processing/jobs/${job.id}`, { method: 'DELETE' })).status, 200)
})

const modeRows: readonly (readonly [prefer: string | null, body: object, status: number])[] = [
  [null, {}, 200],
  ['respond-sync', {}, 200],
  ['return=minimal', {}, 200],
  ['wait=20', {}, 200],
  ['respond-async', {}, 201],
  ['return=minimal, Respond-Async', {}, 201],
  ['respond-async; foo=1', {}, 201],
  ['respond-async, wait=20', {}, 200],
]

test('the header Prefer chooses between a job and its results', async () => {
  for (const [prefer, more, status] of modeRows) {
    const body = { inputs: { item: { href: itemUrl, type: 'application/geo+json' }, title: 'raw-value' }, ...more }
    const response = await ask(execution, { body, headers: prefer === null ? {} : { prefer } })
    assert.equal(response.status, status, `${prefer} ${await response.clone().text()}`)
    assert.equal(response.headers.has('location'), status === 201, String(prefer))
  }
})

const exceptionRows: readonly (readonly [accept: string | null, type: string])[] = [
  [null, 'application/problem+json'],
  ['*/*', 'application/problem+json'],
  ['text/html', 'application/problem+json'],
  ['application/json', 'application/json'],
  ['application/json, */*;q=0.1', 'application/json'],
  ['application/json;q=0.5, application/problem+json', 'application/problem+json'],
  ['application/problem+json, application/json', 'application/problem+json'],
]

test('an exception has the media type that the client prefers', async () => {
  for (const [accept, expected] of exceptionRows)
    for (const [path, name] of [
      ['/processing/processes/nothing', 'no-such-process'],
      ['/processing/jobs/nothing', 'no-such-job'],
    ] as const) {
      const response = await ask(path, { headers: accept === null ? {} : { accept } })
      assert.deepEqual(
        [response.status, response.headers.get('content-type')],
        [404, `${expected}; charset=utf-8`],
        `${accept} ${path}`,
      )
      const { type, status } = (await response.json()) as Json
      assert.deepEqual([type, status], [`http://www.opengis.net/def/exceptions/ogcapi-processes-1/1.0/${name}`, 404])
    }
})

test('dismissing cancels a job that has not ended, and removes one that has', async () => {
  const { job_types } = await client.call('processing.job_types.list', {})
  const job_type_id = job_types.find(({ name }) => name === 'format-conversion')!.id
  const input = { project_id: org.project, job_type_id, input_params: { item, title: 'Dismissed' }, reuse: false }
  const { job } = await client.call<{ job: { id: string } }>('processing.create', input)
  const rows = [
    ['DELETE', job.id, 200, 'dismissed'],
    ['GET', job.id, 200, 'dismissed'],
    ['DELETE', job.id, 200, 'dismissed'],
    ['GET', job.id, 404, undefined],
    ['DELETE', job.id, 404, undefined],
    ['GET', jobs['raw-reference']!, 200, 'successful'],
    ['DELETE', jobs['raw-reference']!, 200, 'dismissed'],
    ['GET', jobs['raw-reference']!, 404, undefined],
    ['DELETE', jobs['raw-reference']!, 404, undefined],
  ] as const
  for (const [at, [method, id, status, word]] of rows.entries()) {
    const response = await ask(`/processing/jobs/${id}`, { method })
    const document = (await response.json()) as Json
    const found = status === 404 ? document['type'].split('/').at(-1) : document['status']
    assert.deepEqual([response.status, found], [status, word ?? 'no-such-job'], `row ${at}`)
  }
  const { jobs: left } = (await (await ask('/processing/jobs?limit=100')).json()) as Json
  assert.ok(!left.some(({ jobID }: Json) => jobID === job.id || jobID === jobs['raw-reference']))
  const kept = await client.call<{ job: { status: string } }>('processing.job.get', { job_id: jobs['raw-reference'] })
  assert.equal(kept.job.status, 'completed', 'the record of the platform stays')
})
