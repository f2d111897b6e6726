import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { after, before, test } from 'node:test'
import fastify, { type FastifyInstance } from 'fastify'
import { createLogger } from '../../platform/log.ts'
import { createMetrics } from '../../platform/metrics.ts'
import { createHttpServer } from '../server.ts'
import { registerConsoleRoutes } from './console-routes.ts'

let folder: string
let app: FastifyInstance
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'swath-console-'))
  await mkdir(join(folder, 'console'))
  await writeFile(join(folder, 'index.html'), '<meta nonce="{{nonce}}">')
  await writeFile(join(folder, 'docs.html'), '<p>reference</p>')
  await writeFile(join(folder, 'favicon.svg'), '<svg/>')
  await writeFile(join(folder, 'console', 'index-abc.js'), 'text')
  await writeFile(join(folder, 'console', 'index-abc.js.br'), brotliCompressSync('text'))
  app = fastify()
  assert.equal(registerConsoleRoutes(app, folder), true)
})
after(async () => {
  await app.close()
  await rm(folder, { recursive: true })
})

test('every URL of the console is the same document, with a strict policy and revalidated', async () => {
  const nonces = new Set<string>()
  const urls = [
    '/',
    '/explore?v=1,2,3',
    '/explore/01a2',
    '/analyse/jobs/01a2',
    '/admin/people',
    '/auth/callback?code=x',
  ]
  for (const url of urls) {
    const { statusCode, headers, body } = await app.inject(url)
    assert.equal(statusCode, 200, url)
    const policy = String(headers['content-security-policy'])
    const [, nonce = ''] = /style-src 'self' 'nonce-(\w{24})'/.exec(policy) ?? []
    assert.equal(body, `<meta nonce="${nonce}">`)
    nonces.add(nonce)
    assert.match(policy, /default-src 'none'; script-src 'self';/)
    assert.doesNotMatch(policy, /unsafe/)
    assert.equal(headers['cache-control'], 'no-cache')
  }
  assert.equal(nonces.size, urls.length)
})

test('files may be sent to the origin of the object store', async () => {
  const server = fastify()
  registerConsoleRoutes(server, folder, { readUploadOrigin: () => Promise.resolve('https://files.example') })
  const { headers } = await server.inject('/library/uploads')
  assert.match(
    String(headers['content-security-policy']),
    /; connect-src 'self' blob: https:\/\/files\.example; worker-src/,
  )
  await server.close()
})

test('base maps are named in the document, their origins are in the policy, and a file is sent by ranges', async () => {
  const server = fastify()
  const other = await mkdtemp(join(tmpdir(), 'swath-basemap-'))
  await mkdir(join(other, 'console'))
  await writeFile(join(other, 'index.html'), '<meta content="{{basemap}}">')
  await writeFile(join(other, 'region.pmtiles'), '0123456789')
  registerConsoleRoutes(server, other, {
    baseMaps: [
      { title: 'Roads', url: 'https://maps.example/style.json?key="1"&b=2', file: null },
      { title: 'Aerial', url: 'https://maps.example/{z}/{x}/{y}.png', file: null },
      { title: 'Region', url: null, file: join(other, 'region.pmtiles') },
    ],
  })
  const { headers, body } = await server.inject('/explore')
  const [, content = ''] = /content="([^"]*)"/.exec(body) ?? []
  assert.deepEqual(JSON.parse(content.replaceAll('&quot;', '"').replaceAll('&amp;', '&')), [
    { title: 'Roads', url: 'https://maps.example/style.json?key="1"&b=2' },
    { title: 'Aerial', url: 'https://maps.example/{z}/{x}/{y}.png' },
    { title: 'Region', url: '/base-map/files/2.pmtiles' },
  ])
  const policy = String(headers['content-security-policy'])
  assert.match(policy, /img-src 'self' blob: data: https:\/\/maps\.example;/)
  assert.match(policy, /connect-src 'self' blob: https:\/\/maps\.example;/)
  const part = await server.inject({ url: '/base-map/files/2.pmtiles', headers: { range: 'bytes=2-4' } })
  assert.deepEqual([part.statusCode, part.body], [206, '234'])
  assert.equal((await server.inject('/base-map/files/0.pmtiles')).statusCode, 404)
  await server.close()
  await rm(other, { recursive: true })
})

test('the API reference may call this server and load its files, and nothing else', async () => {
  const { statusCode, headers, body } = await app.inject('/docs/try')
  assert.deepEqual([statusCode, body], [200, '<p>reference</p>'])
  const policy = String(headers['content-security-policy'])
  assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self';.* connect-src 'self';/)
  assert.doesNotMatch(policy, /unsafe|https?:|\*/)
  assert.equal(headers['cache-control'], 'no-cache')
})

test('hashed files are immutable and sent compressed; nothing outside their folder is sent', async () => {
  const headers = { 'accept-encoding': 'br' }
  const script = await app.inject({ url: '/console/index-abc.js', headers })
  assert.match(String(script.headers['cache-control']), /max-age=31536000, immutable/)
  assert.equal(script.headers['content-encoding'], 'br')
  assert.match(String(script.headers['content-type']), /javascript/)
  assert.equal((await app.inject('/console/index-abc.js')).body, 'text')
  assert.equal((await app.inject('/favicon.svg')).statusCode, 200)
  for (const url of ['/console/', '/console/../index.html', '/console/%2e%2e/index.html', '/other'])
    assert.match(String((await app.inject(url)).statusCode), /^40[34]$/, url)
})

test('the pages of orders are routes of the API, too: a call has an answer, and a browser the page', async () => {
  const server = fastify()
  server.get('/orders', () => ({ called: 'list' }))
  server.get('/orders/:order_id', () => ({ called: 'one' }))
  registerConsoleRoutes(server, folder)
  const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
  for (const [url, called] of [
    ['/orders?status=PLACED', 'list'],
    ['/orders/01a2', 'one'],
  ] as const) {
    for (const headers of [
      {},
      { accept: 'application/json' },
      { ...browser, authorization: 'Bearer x' },
      { ...browser, 'x-api-key': 'x' },
    ])
      assert.deepEqual((await server.inject({ url, headers })).json(), { called }, `${url} ${JSON.stringify(headers)}`)
    const page = await server.inject({ url, headers: browser })
    assert.match(page.body, /^<meta nonce="\w{24}">$/)
    assert.equal(page.headers['vary'], 'accept, authorization, x-api-key')
  }
  assert.match((await server.inject({ url: '/orders/01a2/captures', headers: browser })).body, /^<meta nonce/)
  await server.close()
})

test('a URL without a route is the console for a browser, with 404, and a problem for programs', async () => {
  const server = createHttpServer({
    trustProxy: false,
    log: createLogger({ level: 'silent' }),
    metrics: createMetrics(),
    baseUrl: null,
  })
  server.get('/v1/known', () => ({}))
  registerConsoleRoutes(server, folder)
  const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
  const page = await server.inject({ url: '/nowhere?v=1', headers: browser })
  assert.equal(page.statusCode, 404)
  assert.match(page.body, /^<meta nonce="\w{24}">$/)
  assert.match(String(page.headers['content-security-policy']), /default-src 'none'/)
  for (const [url, headers] of [
    ['/nowhere', { accept: '*/*' }],
    ['/nowhere', {}],
    ['/v1/unknown', browser],
    ['/console/missing.js', browser],
  ] as const) {
    const { statusCode, headers: answered } = await server.inject({ url, headers })
    assert.equal(statusCode, 404, url)
    assert.match(String(answered['content-type']), /problem\+json/, url)
  }
  assert.equal((await server.inject({ method: 'POST', url: '/nowhere', headers: browser })).statusCode, 404)
  await server.close()
})

test('while the console is built again, pages say so and are tried again', async () => {
  await rename(join(folder, 'index.html'), join(folder, 'index.old'))
  try {
    for (const url of ['/', '/tasking', '/inbox']) {
      const { statusCode, headers, body } = await app.inject(url)
      assert.equal(statusCode, 503, url)
      assert.match(String(headers['content-type']), /text\/html/)
      assert.equal(headers['retry-after'], '3')
      assert.match(body, /The console is being built/)
      assert.doesNotMatch(String(headers['content-security-policy']), /unsafe/)
    }
  } finally {
    await rename(join(folder, 'index.old'), join(folder, 'index.html'))
  }
  assert.equal((await app.inject('/')).statusCode, 200)
})

test('an empty folder, whose console is being built, is not a warning', async (context) => {
  const empty = await mkdtemp(join(tmpdir(), 'swath-console-'))
  context.after(() => rm(empty, { recursive: true }))
  const lines: string[] = []
  const server = fastify({ logger: { level: 'warn', stream: { write: (line: string) => void lines.push(line) } } })
  assert.equal(registerConsoleRoutes(server, empty), true)
  await server.ready()
  assert.deepEqual(lines, [])
  await server.close()
})

test('without a build there are no routes', () => {
  assert.equal(registerConsoleRoutes(fastify(), join(folder, 'none')), false)
})
