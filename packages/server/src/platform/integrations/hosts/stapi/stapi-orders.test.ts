import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { stacItem } from '../../../../../test/hosts/stac-server.ts'
import { now, live, request, task, openHost, createdBodies } from '../../../../../test/hosts/stapi-host.ts'
import { landing, orderOf, type ProviderPlan } from '../../../../../test/hosts/stapi-server.ts'
import { HostRefusal, type ImageryHost } from '../../imagery-host.ts'

const statusCases: readonly (readonly [code: string, stage: string])[] = [
  ['received', 'accepted'],
  ['reserved', 'accepted'],
  ['something-new', 'accepted'],
  ['scheduled', 'scheduled'],
  ['tasked', 'tasked'],
  ['processing', 'processing'],
  ['rejected', 'rejected'],
  ['failed', 'failed'],
  ['expired', 'expired'],
  ['cancelled', 'cancelled'],
  ['user_cancelled', 'cancelled'],
]

test('status codes become stages with their reasons', async (t) => {
  for (const [code, stage] of statusCases) {
    const { tasking, host } = await openHost(t, {
      orders: [orderOf('o1', { status_code: code, reason_code: 'cloud_cover', reason_text: 'Too cloudy.' })],
    })
    const status = await tasking.taskStatus(live, 'o1')
    assert.deepEqual(
      [status.stage, status.reason_code, status.reason, status.scene],
      [stage, 'cloud_cover', 'Too cloudy.', null],
    )
    const minutes = status.next_change_at ? (status.next_change_at.getTime() - now.getTime()) / 60_000 : null
    const delivery = await host.deliveries('o1')
    const isEnded = ['rejected', 'failed', 'expired', 'cancelled'].includes(stage)
    assert.equal(minutes, isEnded ? null : 1)
    assert.deepEqual(delivery, isEnded ? { state: 'refused', reason: 'Too cloudy.' } : { state: 'waiting' })
  }
  const { tasking } = await openHost(t)
  await assert.rejects(tasking.taskStatus(live, 'nothing/../x'), /status 404/)
})

const bytes = Uint8Array.from({ length: 9000 }, (_, index) => index % 251)
const deliveryPlans = (item: unknown): Readonly<Record<string, (url: string) => ProviderPlan>> => ({
  'an item linked by the status': (url) => ({
    orders: [orderOf('o1', { status_code: 'completed', links: [{ rel: 'item', href: `${url}/item.json` }] })],
    other: () => ({ body: item }),
  }),
  'a collection of items linked by the order': () => ({
    orders: [
      {
        ...orderOf('o1', { status_code: 'completed' }),
        links: [{ rel: 'results', href: 'items.json', type: 'application/geo+json' }],
      },
    ],
    other: () => ({ body: { type: 'FeatureCollection', features: [null, item] } }),
  }),
  'a link to a GeoTIFF': () => ({
    orders: [
      orderOf('o1', {
        status_code: 'completed',
        links: [
          { rel: 'log', href: 'log.json', type: 'application/json' },
          { rel: 'data', href: 'image.tif', type: 'image/tiff; application=geotiff' },
        ],
      }),
    ],
    other: () => ({ body: { lines: ['not an item'] } }),
  }),
  'assets of the order itself': () => ({
    orders: [
      {
        ...orderOf('o1', { status_code: 'completed' }),
        assets: { visual: { href: 'image.tif', type: 'image/tiff', roles: ['data'] } },
      },
    ],
  }),
  'an earlier status': () => ({
    orders: [
      { ...orderOf('o1', { status_code: 'completed' }), links: [{ rel: 'monitor', href: 'orders/o1/statuses' }] },
    ],
    other: ({ path }) =>
      path.endsWith('/statuses')
        ? { body: { statuses: [{ status_code: 'processing', links: [{ rel: 'item', href: '/item.json' }] }] } }
        : { body: item },
  }),
})

test('a completed order is delivered from the URLs that its provider names', async (t) => {
  const item = stacItem('acquired', '2026-02-20T10:00:00Z', {
    assets: { visual: { href: 'image.tif', type: 'image/tiff', roles: ['data'] } },
  })
  for (const [name, planOf] of Object.entries(deliveryPlans(item))) {
    const plan: ProviderPlan = { files: { '/image.tif': bytes, '/orders/image.tif': bytes }, planOf }
    const { tasking, host } = await openHost(t, plan, { row: { delivery_grace_h: 0 } })
    const status = await tasking.taskStatus(live, 'o1')
    assert.equal(status.stage, 'ready', name)
    assert.equal(status.scene?.collection, 'optical')
    const delivery = await host.deliveries('o1')
    assert.ok(delivery.state === 'ready', name)
    assert.deepEqual(
      delivery.files.map(({ scene }) => scene),
      [status.scene!.id],
      name,
    )
    const folder = await mkdtemp(join(tmpdir(), 'swath-stapi-'))
    t.after(() => rm(folder, { recursive: true }))
    await delivery.files[0]!.download(join(folder, 'a.tif'), AbortSignal.timeout(5000))
    assert.deepEqual(new Uint8Array(await readFile(join(folder, 'a.tif'))), bytes, name)
  }
})

test('a completed order without files waits for a while, and is then refused by name', async (t) => {
  const open = async (hours: number): Promise<ImageryHost> => {
    const timestamp = new Date(now.getTime() - hours * 3_600_000).toISOString()
    return (await openHost(t, { orders: [orderOf('o1', { status_code: 'completed', timestamp })] })).host
  }
  const early = await open(23)
  assert.equal((await early.tasking!.taskStatus(live, 'o1')).stage, 'processing')
  assert.deepEqual(await early.deliveries('o1'), { state: 'waiting' })
  const late = await open(25)
  const status = await late.tasking!.taskStatus(live, 'o1')
  assert.deepEqual([status.stage, status.reason_code], ['failed', 'no_delivery'])
  const delivery = await late.deliveries('o1')
  assert.match(delivery.state === 'refused' ? delivery.reason : '', /names no file/)
})

test('an order is cancelled by its link, once, and refused without one', async (t) => {
  const withLink = (method: string | undefined) => ({
    ...orderOf('o1', { status_code: 'accepted' }),
    links: [{ rel: 'cancel', href: 'orders/o1/cancel', ...(method ? { method } : {}) }],
  })
  for (const method of [undefined, 'POST', 'DELETE']) {
    const { tasking, server } = await openHost(t, {
      orders: [withLink(method)],
      other: () => ({ status: 204, body: '' }),
    })
    await tasking.cancelTask(live, 'o1')
    assert.equal(server.requests.at(-1)?.method, method ?? 'POST')
  }
  const refusing = await openHost(t, {
    orders: [withLink('POST')],
    other: () => ({ status: 409, body: { detail: 'Too late.' } }),
  })
  await assert.rejects(refusing.tasking.cancelTask(live, 'o1'), /does not cancel the order: Too late\./)
  const cancelled = await openHost(t, { orders: [orderOf('o1', { status_code: 'user_cancelled' })] })
  await cancelled.tasking.cancelTask(live, 'o1')
  const linkless = await openHost(t, { orders: [orderOf('o1', { status_code: 'accepted' })] })
  await assert.rejects(linkless.tasking.cancelTask(live, 'o1'), HostRefusal)
})

test('whatever a provider replies, a call ends with a result or an error within its limits', async (t) => {
  const hostile: readonly unknown[] = [
    [], 'text', 7, null, { links: 'x' }, { links: [{ rel: 'next', href: 'self' }] },
    { features: [{ properties: { datetime: '/' }, geometry: { type: 'Polygon', coordinates: [[[1e308, 0]]] } }] },
    { features: Array.from({ length: 3000 }, () => ({ id: 'o', properties: { product_id: 'optical', search_parameters: 4 } })) },
    { id: { a: 1 }, properties: { status: { status_code: '__proto__' } }, links: [{ rel: 'item', href: 'http://[' }] },
    { 'id': 'x'.repeat(100_000), 'links': [{ rel: 'monitor', href: 'file:///etc/passwd' }] },
  ] // prettier-ignore
  for (const body of hostile) {
    const { host, tasking } = await openHost(t, { everything: () => ({ body }) }, { limits: { max_pages: 3 } })
    const calls = [
      host.check!(),
      tasking.opportunities(live, request),
      tasking.placeTask(live, task('order-1')),
      tasking.taskStatus(live, 'o1'),
      host.deliveries('o1'),
      tasking.cancelTask(live, 'o1'),
    ]
    for (const outcome of await Promise.allSettled(calls))
      if (outcome.status === 'rejected')
        assert.ok(outcome.reason instanceof Error && !(outcome.reason instanceof TypeError), String(outcome.reason))
  }
})

test('orders of endless pages are an error, not an endless search', async (t) => {
  const { tasking, server } = await openHost(
    t,
    {
      orderList: ({ query }, url) => ({
        body: {
          features: [],
          links: [{ rel: 'next', href: `${url}/orders?next=${Number(query.get('next') ?? 0) + 1}` }],
        },
      }),
    },
    { limits: { max_pages: 5 } },
  )
  await assert.rejects(tasking.placeTask(live, task('order-1')), /more than 5 pages/)
  assert.equal(createdBodies(server.requests).length, 0)
})

test('the token is sent to the origin of the provider only, and files on private addresses are refused', async (t) => {
  const { host } = await openHost(t, {
    orders: [
      orderOf('o1', { status_code: 'completed', links: [{ rel: 'item', href: 'http://169.254.169.254/item' }] }),
    ],
  })
  await assert.rejects(host.deliveries('o1'), { name: 'SafeFetchFailure' })
  const foreign = await openHost(
    t,
    { landing: () => ({ body: landing('https://elsewhere.example') }) },
    { limits: { request_timeout_ms: 300 } },
  )
  await assert.rejects(foreign.host.check!())
  assert.ok(foreign.server.requests.every(({ path }) => path === '/'))
})
