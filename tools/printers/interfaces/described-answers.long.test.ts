import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import addFormats from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { InterfaceName } from '../../../packages/server/src/engine/service-descriptions.ts'
import { startTestApp, type TestApp } from '../../../packages/server/test/test-app.ts'
import { createTestOrganization } from '../../../packages/server/test/test-organizations.ts'

type Caller = 'nobody' | 'owner' | 'directory'

interface Answer {
  readonly content?: Readonly<Record<string, object>>
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: Record<string, Answer & { $ref?: string }> }>>>>
  readonly components: { readonly responses: Readonly<Record<string, Answer>> }
} // prettier-ignore

let app: TestApp
const tokens: Record<Caller, string> = { nobody: '', owner: '', directory: '' }
before(async () => {
  app = await startTestApp()
  const org = await createTestOrganization(app)
  const { key } = await org.owner.client.call('api_keys.create', { name: 'described', permissions: ['can_read'] })
  tokens.owner = key
  tokens.directory = (await org.owner.client.call('organizations.scim_tokens.create', { name: 'Directory' })).token
})
after(() => app?.close())

const openid = '/realms/public/protocol/openid-connect'
const form = 'application/x-www-form-urlencoded'
/** The id of nothing. */
const missing = '01890a5d-ac96-774b-bcce-b302099a8057'
const pathOf = (template: string, id: string): string => template.replaceAll(/\{\w+\}/g, id)

/** What schemathesis found once: an answer that its document did not describe. */
const rows: readonly (readonly [name: InterfaceName, method: string, path: string, status: number, caller?: Caller, query?: string])[] = [
  ['identity', 'post', `${openid}/token`, 400],
  ['identity', 'post', `${openid}/auth/device`, 400],
  ['identity', 'post', `${openid}/token/introspect`, 401],
  ['identity', 'post', `${openid}/revoke`, 400],
  ['identity', 'get', `${openid}/auth`, 400],
  ['identity', 'get', `${openid}/logout`, 200],
  ['identity', 'get', `${openid}/certs`, 200],
  ['identity', 'get', `${openid}/userinfo`, 401],
  ['identity', 'get', `${openid}/userinfo`, 200, 'owner'],
  ['identity', 'get', '/realms/public/.well-known/openid-configuration', 200],
  ['identity', 'get', '/realms/public/clients-registrations/openid-connect', 401],
  ['identity', 'get', '/realms/public/broker/{organization}/endpoint', 400],
  ['identity', 'get', '/invitations/accept', 404],
  ['identity', 'get', '/scim/v2/{path}', 401],
  ['identity', 'get', '/scim/v2/{path}', 200, 'directory'],
  ['routes', 'get', '/.well-known/receipt-keys.json', 200],
  ['routes', 'get', '/api/v1/items/{id}/tiles/wmts', 404, 'owner', '?service=WMTS&request=GetCapabilities'],
  ['routes', 'get', '/notifications/unsubscribe', 404],
  ['routes', 'get', '/share/download', 422],
  ['routes', 'get', '/share/{token}', 404],
  ['routes', 'post', '/catalog/hosts/{host_name}/stac/search', 200, 'owner'],
  ['routes', 'get', '/hosts', 200, 'owner'],
  ['routes', 'get', '/orders', 200, 'owner'],
  ['v2', 'get', '/v2/payments/balances', 200, 'owner'],
  ['stapi', 'get', '/stapi', 200],
  ['stapi', 'get', '/stapi/conformance', 200],
  ['stapi', 'get', '/stapi/products', 200, 'owner'],
  ['stapi', 'get', '/stapi/orders', 200, 'owner'],
  ['stapi', 'post', '/stapi/products/{product_id}/opportunities', 422, 'owner'],
] // prettier-ignore

const segments: Readonly<Record<string, string>> = {
  '/scim/v2/{path}': 'Users',
  '/catalog/hosts/{host_name}/stac/search': 'open',
}

const ajv = new Ajv2020({ allErrors: true, strict: false })
addFormats.default(ajv)

for (const [name, method, path, status, caller = 'nobody', query = ''] of rows)
  test(`${name}: ${method} ${path} ${status}`, async () => {
    const document = (await (await fetch(`${app.url}/openapi/${name}.json`)).json()) as Document
    if (!ajv.getSchema(name)) ajv.addSchema({ ...document, $id: name }, name)
    const response = await fetch(`${app.url}${pathOf(path, segments[path] ?? missing)}${query}`, {
      method,
      headers: {
        ...(caller === 'nobody' ? {} : { authorization: `Bearer ${tokens[caller]}` }),
        ...(method === 'post' ? { 'content-type': path.startsWith(openid) ? form : 'application/json' } : {}),
      },
      ...(method === 'post' ? { body: path.startsWith(openid) ? '' : '{}' } : {}),
    })
    const text = await response.text()
    assert.equal(response.status, status, text)
    const { responses } = document.paths[path]![method]!
    const described = responses[status] ?? responses['default']!
    const answer = described.$ref ? document.components.responses[described.$ref.split('/').at(-1)!]! : described
    const type = (response.headers.get('content-type') ?? '').split(';')[0]!
    assert.ok(answer.content?.[type], `${type} is not one of ${Object.keys(answer.content ?? {}).join(', ')}`)
    if (!type.includes('json')) return
    const { schema } = answer.content[type] as { schema: object }
    const resolved = JSON.parse(JSON.stringify(schema).replaceAll('"#/', `"${name}#/`)) as object
    const validate = ajv.compile(resolved)
    assert.ok(validate(JSON.parse(text)), ajv.errorsText(validate.errors))
  })
