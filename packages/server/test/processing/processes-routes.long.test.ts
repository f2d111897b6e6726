import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Client } from '@swath/client/client.ts'
import type { Job } from '@swath/contract/schemas/job.ts'
import { Problem } from '../../src/engine/problem.ts'
import { newId } from '../../src/platform/ids.ts'
import { pollJobUntilEnd } from '../../src/http/routes/processes/executions.ts'
import { createFaultyHost } from '../hosts/faulty-host.ts'
import { createTestOrganization, type TestOrganization } from '../test-organizations.ts'
import { startTestApp, type TestApp } from '../test-app.ts'
import { deliverSmallScene, waitForJob } from './jobs.ts'

let app: TestApp
let org: TestOrganization
let client: Client
let item: string
before(async () => {
  app = await startTestApp({ hosts: [await createFaultyHost('good')] })
  org = await createTestOrganization(app, 100_000)
  client = org.owner.client
  item = (await deliverSmallScene(client)).item
})
after(() => app?.close())

type Json = Record<string, any> // oxlint-disable-line no-explicit-any -- documents of an outside standard

async function get(path: string): Promise<Json> {
  const response = await client.fetch(path)
  assert.equal(response.status, 200, `${path}: ${await response.clone().text()}`)
  return (await response.json()) as Json
}

const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  client.fetch(path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  })

/** The id of a new job, which nobody dispatches. */
async function createJob(title: string): Promise<string> {
  const { job_types } = await client.call('processing.job_types.list', {})
  const job_type_id = job_types.find(({ name }) => name === 'format-conversion')!.id
  const input = { project_id: org.project, job_type_id, input_params: { item, title } }
  return (await client.call<{ job: { id: string } }>('processing.create', input)).job.id
}

test('the landing page and the conformance need no token, and name the classes that are implemented', async () => {
  for (const root of ['/processing', '/processing/', '/v2/processing']) {
    const landing = (await (await fetch(`${app.url}${root}`)).json()) as Json
    const rels = landing['links'].map(({ rel }: { rel: string }) => rel)
    for (const rel of ['self', 'conformance', 'processes', 'service-desc'])
      assert.ok(rels.includes(rel), `${root} ${rel}`)
  }
  const { conformsTo } = (await (await fetch(`${app.url}/processing/conformance`)).json()) as Json
  assert.ok(conformsTo.includes('http://www.opengis.net/spec/ogcapi-processes-1/1.0/conf/core'))
  assert.equal((await fetch(`${app.url}/processing/processes`)).status, 401)
})

test('processes are listed and described with their inputs', async () => {
  const { processes } = await get('/processing/processes')
  assert.ok(processes.length >= 12)
  const clip = await get('/processing/processes/clip')
  assert.deepEqual([clip['id'], clip['inputs'].item.minOccurs, clip['inputs'].title.minOccurs], ['clip', 1, 0])
  assert.equal((await client.fetch('/processing/processes/nothing')).status, 404)
})

test('an asynchronous execution answers 201 with a status document, whose job ends with results', async () => {
  const response = await post(
    '/processing/processes/format-conversion/execution',
    {
      inputs: { item, title: 'Async' },
      response: 'document',
      outputs: { items: { transmissionMode: 'reference' } },
    },
    { prefer: 'respond-async' },
  )
  const status = (await response.json()) as Json
  assert.equal(response.status, 201, JSON.stringify(status))
  assert.equal(response.headers.get('location'), `${app.url}/processing/jobs/${status['jobID']}`)
  assert.deepEqual(
    [status['type'], status['processID'], status['status']],
    ['process', 'format-conversion', 'accepted'],
  )
  await waitForJob(client, status['jobID'], 'completed')
  const ended = await get(`/processing/jobs/${status['jobID']}`)
  assert.deepEqual([ended['status'], ended['progress']], ['successful', 100])
  const results = await get(`/processing/jobs/${status['jobID']}/results`)
  const feature = (await (await client.fetch(results['items'][0].href.slice(app.url.length))).json()) as Json
  assert.equal(feature['properties']['service:source'], 'PROCESSING')
  const { jobs } = await get('/processing/jobs?status=successful')
  assert.ok(jobs.some(({ jobID }: { jobID: string }) => jobID === status['jobID']))
})

test('a synchronous execution answers the results', async () => {
  const response = await post(
    '/processing/processes/format-conversion/execution',
    { inputs: { item, title: 'Sync' } },
    { prefer: 'respond-sync' },
  )
  const results = (await response.json()) as Json
  assert.equal(response.status, 200, JSON.stringify(results))
  assert.deepEqual([results['type'], results['features'].length], ['FeatureCollection', 1])
})

test('a 404 has the exception type of the standard', async () => {
  const exceptionOf = async (response: Response) => {
    const { type } = (await response.json()) as Json
    return [response.status, String(type).replace('http://www.opengis.net/def/exceptions/ogcapi-processes-1/1.0/', '')]
  }
  const execution = '/processing/processes/format-conversion/execution'
  const job = await createJob('Not ready')
  for (const [response, name] of [
    [client.fetch('/processing/processes/nothing'), 'no-such-process'],
    [post('/processing/processes/nothing/execution', { inputs: { item } }), 'no-such-process'],
    [post(execution, { inputs: { item: newId() } }), `${app.url}/problems/not-found`],
    [client.fetch('/processing/jobs/nothing'), 'no-such-job'],
    [client.fetch(`/processing/jobs/${newId()}`), 'no-such-job'],
    [client.fetch(`/processing/jobs/${newId()}/results`), 'no-such-job'],
    [client.fetch(`/processing/jobs/${newId()}`, { method: 'DELETE' }), 'no-such-job'],
    [client.fetch(`/processing/jobs/${job}/results`), 'result-not-ready'],
    [client.fetch(`/v2/processing/jobs/${newId()}`), `${app.url}/problems/not-found`],
  ] as const)
    assert.deepEqual(await exceptionOf(await response), [404, name])
})

test('the routes of /v2 are deprecated aliases', async () => {
  const successorOf = async (path: string) => {
    const { headers } = await client.fetch(path)
    assert.equal(headers.has('deprecation') && !headers.has('sunset'), path.startsWith('/v2'), path)
    return headers.get('link')
  }
  assert.equal(await successorOf('/processing/jobs/nothing'), null)
  for (const path of ['', '/processes', '/processes/clip', '/jobs', '/jobs/nothing', '/jobs/nothing/results'])
    assert.equal(await successorOf(`/v2/processing${path}`), `<${app.url}/processing${path}>; rel="successor-version"`)
})

test('a job is dismissed before it ends, and then has no results', async () => {
  const job = await createJob('Dismissed')
  assert.equal((await client.fetch(`/processing/jobs/${job}/results`)).status, 404)
  const dismissed = await client.fetch(`/processing/jobs/${job}`, { method: 'DELETE' })
  assert.deepEqual([dismissed.status, ((await dismissed.json()) as Json)['status']], [200, 'dismissed'])
  assert.equal((await client.fetch('/processing/jobs/nothing')).status, 404)
})

test('the routes of /v2 use the words of their clients', async () => {
  const path = '/v2/processing/processes/format-conversion'
  assert.equal((await post(`${path}/validation`, { inputs: { item } })).status, 200)
  const invalid = await post(`${path}/validation`, { inputs: {} })
  const { errors } = (await invalid.json()) as Json
  assert.deepEqual([invalid.status, Object.keys(errors[0]).sort()], [422, ['message', 'name']])
  const cost = (await (await post(`${path}/cost`, { inputs: { item } })).json()) as Json
  assert.ok(cost['totalCredits'] > 0 && cost['pricingStrategy'])
  const response = await post(`${path}/execution?workspaceId=${org.project}`, { inputs: { item, title: 'V2' } })
  const job = (await response.json()) as Json
  assert.equal(response.status, 201)
  const keys = [
    'processID',
    'jobID',
    'accountID',
    'workspaceID',
    'definition',
    'status',
    'created',
    'updated',
    'started',
    'finished',
  ]
  for (const key of keys) assert.ok(key in job, key)
  await waitForJob(client, job['jobID'], 'completed')
  assert.equal((await get(`/v2/processing/jobs/${job['jobID']}`))['status'], 'captured')
  const filter = `workspaceId=${org.project}&processId=format-conversion&status=captured`
  const page = await get(`/v2/processing/jobs?limit=1&${filter}`)
  const next = page['links'].find(({ rel }: { rel: string }) => rel === 'next')
  assert.equal(next.href, `/v2/processing/jobs?page=1&limit=1&${filter}`)
})

test('a synchronous execution whose job cannot be looked at answers as an asynchronous one', async () => {
  const job = { id: 'job', status: 'dispatched' } as Job
  const { signal } = new AbortController()
  const looks: number[] = []
  const refuse = (): Promise<Job> => {
    looks.push(performance.now())
    if (looks.length < 3) return Promise.resolve(job)
    return Promise.reject(new Problem('rate-limited', 'Too many requests.'))
  }
  assert.equal(await pollJobUntilEnd(job, refuse, signal), null)
  // The pauses grow: 500 ms and 1 s after the first look.
  assert.ok(looks[1]! - looks[0]! >= 490 && looks[2]! - looks[1]! >= 990, String(looks))
  const failed = pollJobUntilEnd(job, () => Promise.reject(new TypeError('a fault')), signal)
  await assert.rejects(failed, TypeError)
})
