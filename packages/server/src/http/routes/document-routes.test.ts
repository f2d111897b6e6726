import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { createLogger } from '../../platform/log.ts'
import { createMetrics } from '../../platform/metrics.ts'
import { createHttpServer } from '../server.ts'
import { registerApiDocumentationRoutes } from './document-routes.ts'

let parent: string
let app: FastifyInstance
before(async () => {
  parent = await mkdtemp(join(tmpdir(), 'swath-documents-'))
  app = createHttpServer({
    trustProxy: false,
    log: createLogger({ level: 'silent' }),
    metrics: createMetrics(),
    baseUrl: null,
  })
  const folder = pathToFileURL(join(parent, 'dist/'))
  registerApiDocumentationRoutes(app, { folder, baseUrl: 'https://swath.example', hasConsole: false })
})
after(async () => {
  await app.close()
  await rm(parent, { recursive: true })
})

test('printed documents are 503 until they are there, and then sent without a restart', async () => {
  for (const url of ['/openapi.json', '/docs/reference/items']) {
    const { statusCode, headers, body } = await app.inject(url)
    assert.equal(statusCode, 503, url)
    assert.match(String(headers['content-type']), /^application\/problem\+json/)
    assert.match(body, /npm run build/)
  }
  await mkdir(join(parent, 'dist/reference'), { recursive: true })
  await writeFile(join(parent, 'dist/openapi.json'), '{"openapi":"3.1.0","servers":[{"url":"/"}],"paths":{}}')
  await writeFile(join(parent, 'dist/reference/items.html'), '<h1>items</h1>')
  const document = await app.inject('/openapi.json')
  assert.deepEqual(document.json(), { openapi: '3.1.0', paths: {}, servers: [{ url: 'https://swath.example' }] })
  const page = await app.inject('/docs/reference/items')
  assert.deepEqual([page.statusCode, page.body], [200, '<h1>items</h1>'])
  assert.match(String(page.headers['content-security-policy']), /^default-src 'none'/)
})

test('the reference has no page for a name that is not the first segment of an operation id', async () => {
  for (const name of ['nothing', 'toString', '..%2f..%2fopenapi', 'items.html']) {
    const { statusCode, headers } = await app.inject(`/docs/reference/${name}`)
    assert.equal(statusCode, 404, name)
    assert.match(String(headers['content-type']), /^application\/problem\+json/)
  }
})
