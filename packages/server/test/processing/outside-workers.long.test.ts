import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createClient, type Client } from '@swath/client/client.ts'
import type { Job } from '@swath/contract/schemas/job.ts'
import { findOperation, operationRegistry } from '@swath/contract/registry.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { createFaultyHost } from '../hosts/faulty-host.ts'
import { assertLedgerConsistent } from '../ledger-assertions.ts'
import { createTestOrganization, type TestOrganization } from '../test-organizations.ts'
import { immediateRetries, startTestApp, type TestApp } from '../test-app.ts'
import { createJobRequest, deliverSmallScene, waitForJob } from './jobs.ts'
import { uploadCopy, type Assignment } from './outside-worker.ts'

let app: TestApp
let org: TestOrganization
let client: Client
before(async () => {
  app = await startTestApp({ hosts: [await createFaultyHost('good')], background: immediateRetries })
  org = await createTestOrganization(app, 100_000)
  client = org.owner.client
})
after(() => app?.close())

async function delegate(): Promise<Assignment> {
  const { job } = await client.call<{ job: Job }>('processing.create', await createJobRequest(client, org.project, 0))
  return client.call<Assignment>('processing.job.delegate', { job_id: job.id })
}

const workerOf = ({ assignment }: Assignment): Client => createClient({ baseUrl: app.url, token: assignment.token })

async function callRaw(by: Client, operation: string, input: object): Promise<{ status: number; type: string }> {
  const response = await by.fetch(`/v1/op/${operation}`, { method: 'POST', body: JSON.stringify(input) })
  const { type = '' } = (await response.json()) as { type?: string }
  return { status: response.status, type: type.slice(type.lastIndexOf('/') + 1) }
}

/** The downloads of the organization that were counted. */
async function countDownloads(): Promise<number> {
  const [row] = await app.database.unscoped.query<{ count: number }>(sql`
    select coalesce(sum(downloads), 0)::int as count from asset_downloads where organization_id = ${org.organization}`)
  return row!.count
}

test('an outside worker registers its file as an item, and the hold is captured once', async () => {
  const assigned = await delegate()
  assert.deepEqual([assigned.job.status, assigned.job.worker, assigned.job.attempt], ['running', 'external', 1])
  const outputs = await uploadCopy(assigned)
  const worker = workerOf(assigned)
  const input = { job_id: assigned.job.id, outputs }
  const registered = await worker.call<{ job: Job; item_ids: string[] }>('processing.job.register', input)
  assert.deepEqual([registered.job.status, registered.job.settlement], ['completed', 'captured'])
  assert.equal(registered.job.credits_captured, assigned.job.credits_held)
  const item = await client.call<{ item: { job_id: string } }>('items.get', { item_id: registered.item_ids[0]! })
  assert.equal(item.item.job_id, assigned.job.id)
  const { reused_job_id } = await client.call<{ reused_job_id: string | null }>('processing.catalog.estimate', {
    process_id: assigned.job.process_id,
    inputs: assigned.job.input_params,
  })
  assert.equal(reused_job_id, null, 'pixels of an outside worker are not shared')
  // Repeating it has no effect.
  assert.deepEqual(await worker.call('processing.job.register', input), registered)
  // Other files cannot replace those with which it has completed.
  for (const others of [[], [...outputs, ...outputs], outputs.map((output) => ({ ...output, sha256: '0'.repeat(64) }))])
    await assert.rejects(worker.call('processing.job.register', { ...input, outputs: others }), {
      problem: 'invalid-state',
      status: 409,
    })
  await assertLedgerConsistent(app)
})

test('the token stops when who handed the job over loses the project, and its work is registered with a new one', async () => {
  const member = await org.addMember('member')
  const { owner, project: project_id } = org
  await owner.client.call('projects.add_member', { project_id, user_id: member.user, role: 'editor' })
  const { job } = await client.call<{ job: Job }>('processing.create', await createJobRequest(client, project_id, 0))
  const assigned = await member.client.call<Assignment>('processing.job.delegate', { job_id: job.id })
  const outputs = await uploadCopy(assigned)
  const register = { job_id: job.id, outputs }
  await owner.client.call('projects.update_member', { project_id, user_id: member.user, role: 'viewer' })
  assert.equal((await callRaw(workerOf(assigned), 'processing.job.register', register)).status, 401)
  const { delegations } = await owner.client.call('organizations.delegations.list', {})
  const [stopped] = delegations.filter(({ kind }) => kind === 'worker_token')
  assert.deepEqual([stopped?.id, stopped?.user_id, stopped?.stop_reason], [job.id, member.user, 'no_access'])
  const input = { kind: 'worker_token', delegation_id: job.id } as const
  const { secret } = await owner.client.call('organizations.delegations.take_over', input)
  assert.equal((await callRaw(workerOf(assigned), 'processing.job.register', register)).status, 401)
  const worker = createClient({ baseUrl: app.url, token: secret! })
  assert.equal((await worker.call<{ job: Job }>('processing.job.register', register)).job.status, 'completed')
  const { delegations: left } = await owner.client.call('organizations.delegations.list', { stopped: false })
  assert.ok(left.every(({ kind }) => kind !== 'worker_token'))
})

test('a job is delegated only by a caller who may read its sources, which are downloaded as other files are', async () => {
  const { id: other } = await client.call<{ id: string }>('projects.create', { name: 'Private' })
  const { item } = await deliverSmallScene(client, other)
  const request = await createJobRequest(client, org.project, 0)
  const input = { ...request, input_params: { item, title: 'Private' } }
  const { job } = await client.call<{ job: Job }>('processing.create', input)
  const member = await org.addMember('member')
  await client.call('projects.add_member', { project_id: org.project, user_id: member.user })
  const refused = await callRaw(member.client, 'processing.job.delegate', { job_id: job.id })
  assert.deepEqual([refused.status, refused.type], [403, 'not-a-member'])
  await client.call('items.delete', { item_id: item })
  const deleted = await callRaw(client, 'processing.job.delegate', { job_id: job.id })
  assert.deepEqual([deleted.status, deleted.type], [404, 'not-found'])
  assert.equal((await client.call<{ job: Job }>('processing.job.get', { job_id: job.id })).job.status, 'pending')
  const before = await countDownloads()
  await delegate()
  assert.equal((await countDownloads()) - before, 1)
})

test('the token of a worker can register the outputs of its job, and call nothing else', async () => {
  const [assigned, other] = [await delegate(), await delegate()]
  const upload = new URL(assigned.assignment.outputs[0]!.upload_url)
  assert.match(upload.searchParams.get('folder') ?? '', new RegExp(`/jobs/${assigned.job.id}$`))
  assert.ok(Number(upload.searchParams.get('quota')) > 0, 'uploads are limited by the storage of the plan')
  const headers = { authorization: `Bearer ${assigned.assignment.token}`, 'content-type': 'application/json' }
  for (const { id, scope } of operationRegistry.filter(
    ({ id: name, public: open }) => name !== 'processing.job.register' && !open,
  )) {
    const response = await fetch(`${app.url}/v1/op/${id}`, { method: 'POST', headers, body: '{}' })
    assert.equal(response.status, scope === null ? 401 : 403, id)
  }
  const foreign = await fetch(`${app.url}/v1/op/processing.job.register`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ job_id: other.job.id, outputs: [] }),
  })
  assert.equal(foreign.status, 403)
  for (const user of [client, app.admin]) {
    const response = await user.fetch('/v1/op/processing.job.register', {
      method: 'POST',
      body: JSON.stringify({ job_id: assigned.job.id, outputs: [] }),
    })
    assert.ok([403, 404].includes(response.status), String(response.status))
  }
  assert.equal(findOperation('processing.job.register')?.idempotent, true)
})

test('missing, damaged and wrong files are refused, and the worker may try again', async () => {
  const assigned = await delegate()
  const worker = workerOf(assigned)
  const register = (outputs: object[]) =>
    worker.fetch('/v1/op/processing.job.register', {
      method: 'POST',
      body: JSON.stringify({ job_id: assigned.job.id, outputs }),
    })
  assert.equal((await register([])).status, 422)
  const [output] = await uploadCopy(assigned)
  assert.equal((await register([{ ...output, sha256: 'a'.repeat(64) }])).status, 422)
  const { upload_url, object_path, name } = assigned.assignment.outputs[0]!
  await fetch(upload_url, { method: 'PUT', body: 'no image', headers: { 'content-type': 'image/tiff' } })
  assert.equal((await register([{ name, object_path }])).status, 422)
  const right = await uploadCopy(assigned)
  const setPlannedSamples = (samples: number) =>
    app.database.unscoped.query(sql`
      update processing_jobs set plan = jsonb_set(plan, '{items,0,assets,0,samples}', ${String(samples)}::jsonb)
      where id = ${assigned.job.id}`)
  const [planned] = await app.database.unscoped.query<{ samples: number }>(sql`
    select (plan #>> '{items,0,assets,0,samples}')::int as samples from processing_jobs where id = ${assigned.job.id}`)
  await setPlannedSamples(planned!.samples - 1)
  const refused = await callRaw(worker, 'processing.job.register', { job_id: assigned.job.id, outputs: right })
  assert.deepEqual([refused.status, refused.type], [422, 'budget-exceeded'])
  await setPlannedSamples(planned!.samples)
  assert.equal((await register(right)).status, 200)
})

test('a job whose outside worker was lost is executed by the server under the same hold', async () => {
  const assigned = await delegate()
  await app.database.unscoped.query(sql`
    update processing_jobs set lease_until = ${new Date(0)} where id = ${assigned.job.id}`)
  const { backgroundTaskTypes } = await import('../../src/engine/task-types.ts')
  const data = { organization_id: org.organization, job_id: assigned.job.id }
  await app.database.unscoped.transaction((tx) => app.queue.enqueue(tx, backgroundTaskTypes.runJob, data))
  const job = await waitForJob(client, assigned.job.id, 'completed')
  assert.deepEqual([job.worker, job.attempt, job.credits_captured], ['server', 2, assigned.job.credits_held])
  const late = await workerOf(assigned).fetch('/v1/op/processing.job.register', {
    method: 'POST',
    body: JSON.stringify({ job_id: job.id, outputs: [] }),
  })
  assert.equal(late.status, 409)
  await assertLedgerConsistent(app)
})

test('a dry run of a job writes nothing and shows the hold', async () => {
  const { item } = await deliverSmallScene(client)
  const input = { process_id: 'format-conversion', workspaceId: org.project, inputs: { item }, dry_run: true }
  const before = await client.call('billing.credits.balance', {})
  const { job, dry_run } = await client.call<{
    job: Job
    dry_run: { entries: { kind: string; amount_credits: number }[] }
  }>('processing.execute', input)
  assert.deepEqual(
    dry_run.entries.map(({ kind, amount_credits }) => [kind, amount_credits]),
    [['hold', -job.credits_held]],
  )
  assert.deepEqual(await client.call('billing.credits.balance', {}), before)
  assert.equal((await client.fetch(`/v1/op/processing.job.get?job_id=${job.id}`)).status, 404)
})
