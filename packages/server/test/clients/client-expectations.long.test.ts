import assert from 'node:assert/strict'
import { request as openRequest } from 'node:http'
import { after, before, test } from 'node:test'
import type { Client } from '@swath/client/client.ts'
import { requestQuotation } from '../contract/examples/tasking-decisions.ts'
import { createFaultyHost, smallScenes } from '../hosts/faulty-host.ts'
import { createTaskingHost } from '../hosts/tasking-host.ts'
import { findCaptures, toProductOrder, waitForOrder } from '../orders.ts'
import { waitForJob } from '../processing/jobs.ts'
import { immediateRetries, startTestApp, type TestApp } from '../test-app.ts'
import { createTestOrganization, type TestOrganization } from '../test-organizations.ts'
import { clientExpectations, expectationTopics, type Answer, type Facts, type Json } from './client-expectations.ts'

// What stopped a client of others once: one row for one request, with the headers that the client sends and no others.

let app: TestApp
let org: TestOrganization
let facts: Facts

const json = { 'content-type': 'application/json' }

/** Sends exactly these headers: no `Accept`, and the host of the caller. */
function send(method: string, path: string, body: object | undefined, headers: Readonly<Record<string, string>>) {
  const { hostname, port } = new URL(app.url)
  return new Promise<Answer>((resolve, reject) => {
    const text = body === undefined ? '' : JSON.stringify(body)
    const sent = openRequest(
      { method, path, hostname, port, headers: { ...headers, 'content-length': Buffer.byteLength(text) } },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const received = Buffer.concat(chunks)
          const isJson = /json/.test(response.headers['content-type'] ?? '')
          const parsed = isJson ? (JSON.parse(received.toString()) as Json) : {}
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: parsed })
        })
      },
    )
    sent.on('error', reject)
    sent.end(text)
  })
}

async function prepareItem(client: Client, order: string): Promise<Facts['item']> {
  const { collectionId } = await client.call('orders.get', { order_id: order })
  const path = `/v2/assets/stac/collections/${collectionId}/items`
  const { features } = (await (await client.fetch(path, { method: 'GET' })).json()) as { features: Json[] }
  const { links, assets } = features[0] as {
    links: { rel: string; href: string }[]
    assets: Record<string, { href: string; roles: string[] }>
  }
  const self = links.find(({ rel }) => rel === 'self')!.href
  const { href } = Object.values(assets).find(({ roles }) => roles.includes('data'))!
  return { self, file: href }
}

async function prepare(): Promise<Facts> {
  const { client, user } = org.owner
  const [capture] = await findCaptures(client, 'good', smallScenes)
  const product = await toProductOrder(client, capture!)
  const { results } = await client.call('orders.place', { ...product, workspaceId: org.project, displayName: 'Expectations' } as never) // prettier-ignore
  const order = (results as readonly { id: string }[])[0]!.id
  await waitForOrder(client, order, 'FULFILLED')
  await requestQuotation(app, org)
  const { content } = await client.call('orders.list', { type: 'tasking' } as never)
  const item = await prepareItem(client, order)
  const inputs = { item: item.self, title: 'Expectations' }
  const run = { process_id: 'format-conversion', workspaceId: org.project, inputs }
  const { job } = await client.call('processing.execute', run as never)
  await waitForJob(client, job.id, 'completed')
  const webhook = {
    workspace_id: org.project,
    name: 'Expectations',
    url: 'https://1.1.1.1/orders',
    events: ['order.status'],
  }
  const { id } = await client.call('webhooks.create', webhook as never)
  return {
    base: app.url,
    user,
    project: org.project,
    token: await signIn(),
    product,
    order,
    tasking: content[0]!.id,
    item,
    job: job.id,
    webhook: id,
  }
}

/** Signs in as the client does, which has its own name and asks for one scope. */
async function signIn(): Promise<string> {
  const { email, password } = org.owner
  const form = { grant_type: 'password', username: email, password, client_id: 'up42-sdk', scope: 'openid' }
  const url = `${app.url}/realms/public/protocol/openid-connect/token`
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(form) })
  return ((await response.json()) as { access_token: string }).access_token
}

before(async () => {
  const hosts = [await createFaultyHost('good'), await createTaskingHost('sky')]
  app = await startTestApp({ background: immediateRetries, hosts })
  org = await createTestOrganization(app, 1_000_000)
  facts = await prepare()
})
after(() => app?.close())

for (const { topic, name, method = 'GET', path, body, headers = json, expect } of clientExpectations)
  test(`${topic}: ${name}`, async () => {
    const authorized = { authorization: `Bearer ${facts.token}`, ...headers }
    const answer = await send(method, path(facts), body?.(facts), authorized)
    assert.ok(answer.status < 500, JSON.stringify(answer.body))
    expect(answer, facts)
  })

test('every topic has a row', () => {
  const covered = new Set(clientExpectations.map(({ topic }) => topic))
  assert.deepEqual([...covered].toSorted(), expectationTopics.toSorted())
})
