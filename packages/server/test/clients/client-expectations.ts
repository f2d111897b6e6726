import assert from 'node:assert/strict'
import { smallScenes } from '../hosts/faulty-host.ts'
import type { ProductOrderInput } from '../orders.ts'

export type Json = Readonly<Record<string, unknown>>
type Rows = readonly Json[]

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Json
}

/** What the requests of the table name. */
export interface Facts {
  readonly base: string
  readonly user: string
  readonly project: string
  readonly token: string
  readonly product: ProductOrderInput
  readonly order: string
  readonly tasking: string
  readonly item: { readonly self: string; readonly file: string }
  readonly job: string
  readonly webhook: string
}

/** What clients take for granted. */
export const expectationTopics = [
  'user id as workspace',
  'no further keys',
  'empty list',
  'known statuses',
  'JSON without a body',
  'next pages',
  'message of a refused search',
  'unknown host',
  'details of orders',
  'times of jobs',
  'download URL',
  'name of a download',
  'links of items',
  'repeated parameters',
  'slash at the end',
  'schema of orders',
  'partial orders',
  'idempotency',
  'headers',
  'keys with null',
] as const

export interface Row {
  readonly topic: (typeof expectationTopics)[number]
  readonly name: string
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: (facts: Facts) => string
  readonly body?: (facts: Facts) => object
  readonly headers?: Readonly<Record<string, string>>
  readonly expect: (answer: Answer, facts: Facts) => void
}

const hasKeys = (value: unknown, keys: readonly string[]): void =>
  assert.deepEqual(Object.keys(value as object).toSorted(), keys.toSorted())

const isOk = ({ status, body }: Answer): void =>
  assert.ok(status >= 200 && status < 300, `${status} ${JSON.stringify(body)}`)

const rowsOf = ({ body }: Answer, name: string): Rows => body[name] as Rows

const linkOf = ({ body }: Answer, rel: string): Json | undefined =>
  (body['links'] as Rows).find((link) => link['rel'] === rel)

const jobStatuses = ['created', 'valid', 'invalid', 'rejected', 'running', 'successful', 'failed', 'captured', 'released'] // prettier-ignore
const orderStatuses = ['CREATED', 'BEING_PLACED', 'PLACED', 'PLACEMENT_FAILED', 'BEING_FULFILLED', 'FULFILLED', 'CANCELED', 'FAILED_PERMANENTLY', 'DELIVERY_INITIALIZATION_FAILED', 'DOWNLOAD_FAILED', 'DOWNLOADED'] // prettier-ignore

/** An area of which the host has no scene. */
const elsewhere = { type: 'Polygon', coordinates: [[[1, 1], [1.01, 1], [1.01, 1.01], [1, 1.01], [1, 1]]] } // prettier-ignore

const twoAreas = ({ product }: Facts) => ({
  ...product,
  featureCollection: {
    type: 'FeatureCollection',
    features: [...product.featureCollection.features, { type: 'Feature', geometry: elsewhere }],
  },
})

/** The name under which the client saves a file, which it reads from the URL alone. */
function savedName(url: string): string {
  const { pathname, searchParams } = new URL(url)
  const extension = /\.\w+$/.exec(pathname)?.[0] ?? ''
  return `${searchParams.get('response-content-disposition')!.split('filename=')[1]}${extension}`
}

const asset = ({ item }: Facts): string => new URL(item.file).pathname

const placing: readonly Row[] = [
  {
    topic: 'user id as workspace',
    name: 'the id of the user is accepted as a workspace when an order is placed',
    method: 'POST',
    path: ({ user }) => `/v2/orders?workspaceId=${user}`,
    body: ({ product }) => ({ ...product, displayName: 'Alias' }),
    expect: (answer) => {
      isOk(answer)
      assert.deepEqual([rowsOf(answer, 'results').length, rowsOf(answer, 'errors')], [1, []])
    },
  },
  {
    topic: 'user id as workspace',
    name: 'the id of the user is accepted as the workspace of a list of orders',
    path: ({ user }) => `/v2/orders?workspaceId=${user}`,
    expect: isOk,
  },
  {
    topic: 'user id as workspace',
    name: 'the id of the user is accepted as the workspace of a run',
    method: 'POST',
    path: ({ user }) => `/v2/processing/processes/format-conversion/execution?workspaceId=${user}`,
    body: ({ item }) => ({ inputs: { item: item.self, title: 'Alias' } }),
    expect: isOk,
  },
  {
    topic: 'no further keys',
    name: 'results and errors of an estimate have no other keys',
    method: 'POST',
    path: () => '/v2/orders/estimate',
    body: twoAreas,
    expect: (answer) => {
      isOk(answer)
      hasKeys(rowsOf(answer, 'results')[0], ['index', 'credits', 'size', 'unit'])
      hasKeys(rowsOf(answer, 'errors')[0], ['index', 'message', 'details'])
    },
  },
  {
    topic: 'no further keys',
    name: 'providers and resolution values of collections have no other keys',
    path: () => '/v2/collections',
    expect: (answer) => {
      isOk(answer)
      const collections = rowsOf(answer, 'content') as { providers: Rows; metadata?: Json }[]
      const keysOf = (values: readonly unknown[]): Set<string> =>
        new Set(values.flatMap((value) => Object.keys(value ?? {})))
      const ofProviders = keysOf(collections.flatMap(({ providers }) => providers))
      const ofResolutions = keysOf(collections.map(({ metadata }) => metadata?.['resolutionValue']))
      assert.ok(ofProviders.has('name') && ofResolutions.has('minimum'))
      const known = ['name', 'title', 'description', 'roles', 'minimum', 'maximum']
      assert.deepEqual(
        [...ofProviders].filter((key) => !known.slice(0, 4).includes(key)),
        [],
      )
      assert.deepEqual(
        [...ofResolutions].filter((key) => !known.slice(4).includes(key)),
        [],
      )
    },
  },
  {
    topic: 'empty list',
    name: 'an empty list has one page',
    path: () => '/v2/orders?displayName=nothing-has-this-name',
    expect: ({ body }) => assert.deepEqual([body['content'], body['totalPages']], [[], 1]),
  },
  {
    topic: 'partial orders',
    name: 'one feature that cannot be ordered leaves the others, with 200',
    method: 'POST',
    path: ({ project }) => `/v2/orders?workspaceId=${project}`,
    body: (known) => ({ ...twoAreas(known), displayName: 'Partly' }),
    expect: (answer) => {
      assert.equal(answer.status, 200)
      assert.deepEqual([rowsOf(answer, 'results').length, rowsOf(answer, 'errors').length], [1, 1])
    },
  },
  {
    topic: 'partial orders',
    name: 'a request that is wrong as a whole is an HTTP error',
    method: 'POST',
    path: ({ project }) => `/v2/orders?workspaceId=${project}`,
    body: ({ product }) => ({ ...product, displayName: 'None', dataProduct: 'none' }),
    expect: ({ status }) => assert.ok(status >= 400 && status < 500, String(status)),
  },
  {
    topic: 'idempotency',
    name: 'an order without an idempotency key is placed',
    method: 'POST',
    path: ({ project }) => `/v2/orders?workspaceId=${project}`,
    body: ({ product }) => ({ ...product, displayName: 'Once more' }),
    expect: isOk,
  },
]

const reading: readonly Row[] = [
  {
    topic: 'known statuses',
    name: 'the status of a job is one of those that the client knows',
    path: ({ job }) => `/v2/processing/jobs/${job}`,
    expect: ({ body }) => assert.ok(jobStatuses.includes(body['status'] as string), String(body['status'])),
  },
  {
    topic: 'known statuses',
    name: 'the statuses of orders are those at which the client stops or goes on',
    path: () => '/v2/orders',
    expect: (answer) => {
      const statuses = rowsOf(answer, 'content').map(({ status }) => String(status))
      assert.deepEqual([statuses.length > 1, statuses.filter((status) => !orderStatuses.includes(status))], [true, []])
    },
  },
  {
    topic: 'details of orders',
    name: 'a tasking order has its details, and its type in capitals',
    path: ({ tasking }) => `/v2/orders/${tasking}`,
    expect: ({ body }) => {
      assert.equal(body['type'], 'TASKING')
      const { acquisitionStart, acquisitionEnd, geometry } = body['orderDetails'] as Json
      assert.ok(acquisitionStart && acquisitionEnd && geometry)
    },
  },
  {
    topic: 'details of orders',
    name: 'the details of an archive order are never null',
    path: ({ order }) => `/v2/orders/${order}`,
    expect: ({ body }) => {
      assert.equal(body['type'], 'ARCHIVE')
      assert.ok((body['orderDetails'] as Json)['aoi'])
    },
  },
  {
    topic: 'times of jobs',
    name: 'the times of a job have milliseconds',
    path: ({ job }) => `/v2/processing/jobs/${job}`,
    expect: ({ body }) => {
      for (const name of ['created', 'updated', 'started', 'finished'])
        assert.match(String(body[name]), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}/, name)
    },
  },
  {
    topic: 'repeated parameters',
    name: 'lists of orders repeat a parameter',
    path: () => '/v2/orders?status=FULFILLED&status=PLACED&status=BEING_FULFILLED',
    expect: (answer, { order }) => assert.ok(rowsOf(answer, 'content').some(({ id }) => id === order)),
  },
  {
    topic: 'repeated parameters',
    name: 'lists of jobs separate values by commas',
    path: () => '/v2/processing/jobs?status=captured,released&processId=format-conversion,clip',
    expect: (answer, { job }) => assert.ok(rowsOf(answer, 'jobs').some(({ jobID }) => jobID === job)),
  },
  {
    topic: 'schema of orders',
    name: 'the schema of a product is not an order',
    path: ({ product }) => `/orders/schema/${product.dataProduct}`,
    expect: (answer) => {
      isOk(answer)
      assert.ok(answer.body['properties'])
    },
  },
  {
    topic: 'schema of orders',
    name: 'the files of an order are not a schema',
    path: ({ order }) => `/orders/${order}/assets`,
    expect: ({ body }, { order }) => assert.equal(body['order_id'], order),
  },
  {
    topic: 'keys with null',
    name: 'a quotation without a decision has the key all the same',
    path: () => '/v2/tasking/quotation',
    expect: (answer) => {
      const [quotation] = rowsOf(answer, 'content')
      assert.equal(quotation!['decisionAt'], null)
    },
  },
  {
    topic: 'keys with null',
    name: 'a job that has not begun has the keys of its times',
    method: 'POST',
    path: ({ project }) => `/v2/processing/processes/format-conversion/execution?workspaceId=${project}`,
    body: ({ item }) => ({ inputs: { item: item.self, title: 'Keys' } }),
    expect: ({ body }) => {
      for (const name of ['started', 'finished', 'workspaceID', 'created', 'updated']) assert.ok(name in body, name)
    },
  },
]

const bodies: readonly Row[] = [
  {
    topic: 'JSON without a body',
    name: 'a cancellation that names JSON and has no body is read',
    method: 'POST',
    path: ({ order }) => `/v2/orders/${order}/cancellation`,
    expect: ({ status, body }) => assert.ok(status === 409 || status === 200, JSON.stringify(body)),
  },
  {
    topic: 'JSON without a body',
    name: 'a download that names JSON and has no body is read',
    method: 'POST',
    path: (known) => `${asset(known)}/download-url`,
    expect: isOk,
  },
  {
    topic: 'JSON without a body',
    name: 'a DELETE that names JSON and has no body is read',
    method: 'DELETE',
    path: ({ project, webhook }) => `/v2/workspaces/${project}/webhooks/${webhook}`,
    expect: isOk,
  },
  {
    topic: 'JSON without a body',
    name: 'a PATCH may be a merge patch',
    method: 'PATCH',
    path: ({ order }) => `/v2/orders/${order}`,
    body: () => ({ tags: ['changed'] }),
    headers: { 'content-type': 'application/merge-patch+json' },
    expect: ({ status, body }) => assert.deepEqual([status, body['tags']], [200, ['changed']]),
  },
  {
    topic: 'message of a refused search',
    name: 'a refused search has the message where the client reads it',
    method: 'POST',
    path: () => '/v2/catalog/hosts/good/stac/search',
    body: () => ({ bbox: [1] }),
    expect: ({ status, body }) => {
      assert.equal(status, 422)
      assert.ok((body['error'] as Json)['message'])
    },
  },
  {
    topic: 'unknown host',
    name: 'a search of a host that does not exist is no 5xx, on which the client would wait',
    method: 'POST',
    path: () => '/v2/catalog/hosts/none/stac/search',
    body: () => ({}),
    expect: ({ status, headers }) => assert.deepEqual([status, headers['retry-after']], [404, undefined]),
  },
  {
    topic: 'links of items',
    name: 'the link of an item is an input of a process',
    method: 'POST',
    path: () => '/v2/processing/processes/format-conversion/validation',
    body: ({ item }) => ({ inputs: { item: item.self, title: 'Link' } }),
    expect: isOk,
  },
  {
    topic: 'headers',
    name: 'a request without a media type is answered',
    path: () => '/v2/collections',
    headers: {},
    expect: isOk,
  },
]

const links: readonly Row[] = [
  {
    topic: 'next pages',
    name: 'the next page of jobs is a path from the root',
    path: () => '/v2/processing/jobs?limit=1',
    expect: (answer) => assert.match(String(linkOf(answer, 'next')!['href']), /^\/v2\/processing\/jobs\?/),
  },
  {
    topic: 'next pages',
    name: 'the next page of scenes is absolute',
    method: 'POST',
    path: () => '/v2/catalog/hosts/good/stac/search',
    body: () => ({ limit: 1 }),
    expect: (answer, { base }) => assert.ok(String(linkOf(answer, 'next')!['href']).startsWith(base)),
  },
  {
    topic: 'next pages',
    name: 'the next page of items is reached by GET after GET',
    path: () => '/v2/assets/stac/search?limit=1',
    expect: (answer, { base }) => {
      const { href, method = 'GET' } = linkOf(answer, 'next')!
      assert.ok(String(href).startsWith(base))
      assert.equal(method, 'GET')
    },
  },
  {
    topic: 'next pages',
    name: 'the next page of items is reached by POST after POST, with the same body merged',
    method: 'POST',
    path: () => '/v2/assets/stac/search',
    body: () => ({ limit: 1 }),
    expect: (answer) => assert.equal(linkOf(answer, 'next')!['method'], 'POST'),
  },
  {
    topic: 'download URL',
    name: 'the address of a file plus `/download-url` has its signed URL',
    method: 'POST',
    path: (known) => `${asset(known)}/download-url`,
    expect: ({ body }, { item, base }) => {
      assert.ok(item.file.startsWith(base) && !item.file.endsWith('/download'))
      assert.ok(URL.canParse(String(body['url'])))
    },
  },
  {
    topic: 'name of a download',
    name: 'the URL of a file has its name, which the client saves with one extension',
    method: 'POST',
    path: (known) => `${asset(known)}/download-url`,
    expect: ({ body }) => assert.equal(savedName(String(body['url'])), `${smallScenes[0]}.tif`),
  },
  {
    topic: 'links of items',
    name: 'links have the host of the request',
    path: () => '/v2/assets/stac',
    headers: { host: 'localhost:8080' },
    expect: (answer) => assert.ok(String(linkOf(answer, 'self')!['href']).startsWith('http://localhost:8080/')),
  },
  {
    topic: 'slash at the end',
    name: 'the landing page is at the path without a slash',
    path: () => '/v2/assets/stac',
    expect: ({ status, body }) => assert.deepEqual([status, body['type']], [200, 'Catalog']),
  },
  {
    topic: 'slash at the end',
    name: 'the landing page is at the path with a slash',
    path: () => '/v2/assets/stac/',
    expect: ({ status, body }) => assert.deepEqual([status, body['type']], [200, 'Catalog']),
  },
]

/** Every request that stopped a client once. */
export const clientExpectations: readonly Row[] = [...placing, ...reading, ...bodies, ...links]
