import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { readNamedSchemas } from '../named-schemas.ts'
import { interfaceDocuments, listDescribedRoutes } from './interface-documents.ts'
import { consolePathPrefixes } from '../../../packages/server/src/http/routes/console-paths.ts'
import { startTestApp, type TestApp } from '../../../packages/server/test/test-app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp()
})
after(() => app?.close())

/** Pages and files of the console and the documentation, and the canonical routes, which `/openapi.json` describes. */
const undescribed = new RegExp(
  `^\\w+ /(?:$|(?:${[...consolePathPrefixes, 'auth', 'console', 'docs', 'problems', 'openapi', 'favicon', 'v1'].join('|')})(?:[/.]|$))`,
)

/** A route without the names of its parameters. */
const shapeOf = (route: string): string =>
  route.replaceAll(/\{\w+\}|:\w+(?:\([^)]*\))?|\*/g, '{}').replace(/(?<=.)\/$/, '')

test('every route of the server is in a document, and every described route is one of the server', async () => {
  const described = listDescribedRoutes(await readNamedSchemas()).map(({ method, path }) =>
    shapeOf(`${method} ${path}`),
  )
  const registered = app.fastify.listRoutes().filter((route) => !route.startsWith('HEAD '))
  const missing = registered.filter((route) => !undescribed.test(route) && !described.includes(shapeOf(route)))
  assert.deepEqual(missing, [])
  const shapes = new Set(registered.map(shapeOf))
  assert.deepEqual(
    described.filter((route) => !shapes.has(route)),
    [],
  )
})

test('each interface names its document, which is served with its media type', async () => {
  const landings = [
    ['stac', '/assets/stac'],
    ['processes', '/processing'],
    ['stapi', '/stapi'],
  ] as const
  for (const [name, path] of landings) {
    const response = await app.admin.fetch(path, { method: 'GET' })
    const { links } = (await response.json()) as { links: { rel: string; href: string; type: string }[] }
    const found = links.filter(({ rel }) => rel === 'service-desc')
    assert.deepEqual(
      found.map(({ href }) => new URL(href).pathname),
      [`/openapi/${name}.json`, `/openapi/${name}-3.0.json`],
    )
    for (const { href, type } of found) {
      const document = await fetch(href, { headers: { accept: type } })
      assert.equal(document.headers.get('content-type'), type)
      assert.ok(Object.hasOwn(((await document.json()) as { paths: object }).paths, path))
    }
  }
  for (const { name } of interfaceDocuments) assert.equal((await fetch(`${app.url}/openapi/${name}.json`)).status, 200)
  for (const name of ['..%2fopenapi.json', 'unknown.json', 'stac-3.1.json', 'stac'])
    assert.equal((await fetch(`${app.url}/openapi/${name}`)).status, 404, name)
})
