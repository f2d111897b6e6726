import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify, SignJWT, type JSONWebKeySet } from 'jose'
import { sql } from '../../platform/database/sql.ts'
import { publishPrincipalChange } from './principal-changes.ts'
import {
  adminEmail,
  adminPassword,
  baseUrl,
  startIdentityTestApp,
  rejectedWith,
  realmPath,
  type IdentityTestApp,
} from '../../../test/identity-test-app.ts'

let app: IdentityTestApp
before(async () => {
  app = await startIdentityTestApp({ per_address: { failures: 0, window_ms: 60_000 } })
})
after(() => app.close())

const password = (username: string, secret: string, more: Record<string, string> = {}) =>
  app.postForm('token', { grant_type: 'password', username, password: secret, ...more })
const refresh = (refresh_token: string) => app.postForm('token', { grant_type: 'refresh_token', refresh_token })
const exchange = (client_secret: string) =>
  app.postForm('token', { grant_type: 'client_credentials', client_id: 'swath', client_secret })
const me = (token: string) => app.callOperation('users.me', token)
const createApiKey = async (permissions: string[], more: object = {}): Promise<{ id: string; key: string }> => {
  const { access_token } = await app.signIn(adminEmail, adminPassword)
  const created = await app.callOperation('api_keys.create', access_token, { name: 'test', permissions, ...more })
  return created as { id: string; key: string }
}

test('the password grant returns exactly the documented fields', async () => {
  const { status, headers, body } = await password(adminEmail, adminPassword)
  assert.equal(status, 200)
  assert.deepEqual(
    Object.keys(body).toSorted(),
    ['access_token', 'expires_in', 'refresh_expires_in', 'refresh_token', 'scope', 'token_type'].toSorted(),
  )
  assert.equal(body['token_type'], 'Bearer')
  assert.equal(body['expires_in'], 300)
  assert.equal(body['refresh_expires_in'], 1800)
  assert.equal(headers['cache-control'], 'no-store')
})

test('the password grant ignores unknown clients and scopes, and the case of the email', async () => {
  const response = await password(` ${adminEmail.toUpperCase()} `, adminPassword, {
    client_id: 'up42-sdk',
    scope: 'openid',
  })
  assert.equal(response.status, 200)
})

test('a wrong password and an unknown user get the same response', async () => {
  const wrong = await password(adminEmail, 'wrong')
  const unknown = await password('nobody@example.org', 'wrong')
  const withNul = await password('a\0b', 'wrong')
  assert.equal(wrong.status, 400)
  assert.equal(wrong.body['error'], 'invalid_grant')
  assert.equal(wrong.headers['cache-control'], 'no-store')
  assert.deepEqual(unknown.body, wrong.body)
  assert.deepEqual(withNul.body, wrong.body)
})

test('malformed token requests get their OAuth error', async () => {
  const cases: readonly (readonly [Record<string, string>, string])[] = [
    [{}, 'invalid_request'],
    [{ grant_type: 'password', username: adminEmail }, 'invalid_request'],
    [{ grant_type: 'refresh_token' }, 'invalid_request'],
    [{ grant_type: 'toString' }, 'unsupported_grant_type'],
    [{ grant_type: 'implicit' }, 'unsupported_grant_type'],
    [{ grant_type: 'authorization_code', code: 'x' }, 'invalid_request'],
  ]
  for (const [fields, error] of cases) {
    const { status, body } = await app.postForm('token', fields)
    assert.equal(status, 400)
    assert.equal(body['error'], error)
    assert.equal(typeof body['error_description'], 'string')
  }
  const duplicateField = await app.server.inject({
    method: 'POST',
    url: `${realmPath}/token`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'grant_type=password&grant_type=password',
  })
  assert.equal(duplicateField.json().error, 'invalid_request')
  const json = await app.server.inject({
    method: 'POST',
    url: `${realmPath}/token`,
    payload: { grant_type: 'password' },
  })
  assert.equal(json.statusCode, 400)
  assert.equal(json.json().error, 'invalid_request')
  const tooLarge = await app.postForm('token', { grant_type: 'password', username: 'x'.repeat(17_000), password: 'y' })
  assert.equal(tooLarge.status, 413)
  assert.equal(tooLarge.body['error'], 'invalid_request')
})

const passwordFrom = async (
  remoteAddress: string,
  username: string,
  secret: string,
  targetApp = app,
): Promise<number> => {
  const payload = new URLSearchParams({ grant_type: 'password', username, password: secret }).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return (await targetApp.server.inject({ method: 'POST', url: `${realmPath}/token`, remoteAddress, headers, payload }))
    .statusCode
}

test('too many failures for one account from one IP address answer 429 there, also for the right password', async () => {
  const user = await app.createOutsider()
  for (let count = 0; count < 10; count += 1) assert.equal((await password(user.email, 'wrong')).status, 400)
  const limited = await password(user.email, user.password)
  assert.equal(limited.status, 429)
  assert.equal(typeof limited.body['error'], 'string')
  assert.equal(limited.headers['retry-after'], '315')
  assert.equal((await password(adminEmail, adminPassword)).status, 200, 'another account from the same address')
  assert.equal(await passwordFrom('192.0.2.1', user.email, user.password), 200, 'the owner from another address')
  app.clock.advance(315_000)
  assert.equal((await password(user.email, user.password)).status, 200)
})

test('guesses from many IP addresses leave few attempts to each and never block the owner', async () => {
  const strictApp = await startIdentityTestApp({
    per_account: { failures: 5, window_ms: 60_000, failures_while_attacked: 1 },
  })
  const user = await strictApp.createOutsider()
  const signInFrom = (address: string, secret: string): Promise<number> =>
    passwordFrom(address, user.email, secret, strictApp)
  for (let host = 1; host <= 8; host += 1) assert.equal(await signInFrom(`198.51.100.${host}`, 'wrong'), 400)
  assert.equal(await signInFrom('198.51.100.1', 'wrong'), 429)
  assert.equal(await signInFrom('2001:db8::1', 'wrong'), 400)
  assert.equal(await signInFrom('2001:db8::2', 'wrong'), 429, 'an IPv6 prefix counts as one address')
  assert.equal(await signInFrom('192.0.2.1', user.password), 200)
  await strictApp.close()
})

test('a refresh token works once; reuse ends its session', async () => {
  const first = await app.signIn(adminEmail, adminPassword)
  const second = await refresh(first.refresh_token)
  assert.equal(second.status, 200)
  assert.notEqual(second.body['refresh_token'], first.refresh_token)
  const third = await refresh(String(second.body['refresh_token']))
  assert.equal(third.status, 200)
  const token = String(third.body['access_token'])
  assert.equal((await me(token))['kind'], 'human')

  const reused = await refresh(first.refresh_token)
  assert.equal(reused.status, 400)
  assert.equal(reused.body['error'], 'invalid_grant')
  await assert.rejects(me(token), rejectedWith('unauthenticated'))
  assert.equal((await refresh(String(third.body['refresh_token']))).status, 400)
})

test('of two concurrent uses of a refresh token at most one succeeds, and the session ends', async () => {
  const { refresh_token } = await app.signIn(adminEmail, adminPassword)
  const responses = await Promise.all([refresh(refresh_token), refresh(refresh_token)])
  const winners = responses.filter(({ status }) => status === 200)
  assert.ok(winners.length <= 1)
  for (const { body } of winners) {
    await assert.rejects(me(String(body['access_token'])), rejectedWith('unauthenticated'))
    assert.equal((await refresh(String(body['refresh_token']))).status, 400)
  }
  assert.equal((await refresh(refresh_token)).status, 400)
})

test('tokens expire: access after 300 seconds, refresh after 1800', async () => {
  const tokens = await app.signIn(adminEmail, adminPassword)
  assert.ok(await me(tokens.access_token))
  app.clock.advance(299_000)
  assert.ok(await me(tokens.access_token))
  app.clock.advance(10_000)
  await assert.rejects(me(tokens.access_token), rejectedWith('unauthenticated'))
  const next = await refresh(tokens.refresh_token)
  assert.equal(next.status, 200)
  app.clock.advance(1_800_000)
  assert.equal((await refresh(String(next.body['refresh_token']))).body['error'], 'invalid_grant')
})

test('a session ends after thirty days however often it is refreshed', async () => {
  let { refresh_token } = await app.signIn(adminEmail, adminPassword)
  await app.database.unscoped.query(sql`update sessions set created_at = created_at - interval '30 days'`)
  const expired = await refresh(refresh_token)
  assert.equal(expired.status, 400)
  ;({ refresh_token } = await app.signIn(adminEmail, adminPassword))
  assert.equal((await refresh(refresh_token)).status, 200)
})

test('an API key is exchanged for tokens by form and by Basic, and the tokens act as the API key', async () => {
  const { id, key } = await createApiKey(['can_write'])
  const byForm = await exchange(key)
  assert.equal(byForm.status, 200)
  assert.equal(byForm.body['scope'], '*:read *:write')
  assert.ok(byForm.body['refresh_token'])
  const header = `Basic ${Buffer.from(`swath:${key}`).toString('base64')}`
  const byBasic = await app.postForm('token', { grant_type: 'client_credentials' }, { authorization: header })
  assert.equal(byBasic.status, 200)
  const next = await refresh(String(byBasic.body['refresh_token']))
  for (const body of [byForm.body, byBasic.body, next.body]) {
    const response = await me(String(body['access_token']))
    assert.equal(response['kind'], 'api_key')
    const principal = await app.identity.authenticate(
      { authorization: `Bearer ${String(body['access_token'])}`, apiKey: null, address: '' },
      { public: false, scope: null },
    )
    assert.equal(principal.kind, 'api_key')
    assert.equal(principal.id, id)
    assert.equal(principal.user, app.admin.id)
    assert.deepEqual(principal.flags, ['can_write'])
  }
})

test('an unknown client gets invalid_client, with the scheme that it used', async () => {
  const wrong = await exchange('swath_nothing')
  assert.equal(wrong.status, 401)
  assert.equal(wrong.body['error'], 'invalid_client')
  const { key } = await createApiKey([])
  const header = `Basic ${Buffer.from(`other:${key}`).toString('base64')}`
  const other = await app.postForm('token', { grant_type: 'client_credentials' }, { authorization: header })
  assert.equal(other.status, 401)
  assert.match(String(other.headers['www-authenticate']), /^Basic/)
})

test('an API key is accepted as Bearer and as X-API-Key; two different callers are rejected', async () => {
  const first = await createApiKey(['can_read'])
  const second = await createApiKey(['can_read'])
  const call = (authorization: string | null, apiKey: string | null) =>
    app.callOperationWith('users.me', { authorization, apiKey })
  assert.equal((await call(`Bearer ${first.key}`, null))['kind'], 'api_key')
  assert.equal((await call(null, first.key))['kind'], 'api_key')
  assert.equal((await call(`Bearer ${first.key}`, first.key))['kind'], 'api_key')
  const exchanged = await exchange(first.key)
  assert.equal((await call(`Bearer ${String(exchanged.body['access_token'])}`, first.key))['kind'], 'api_key')
  await assert.rejects(call(`Bearer ${first.key}`, second.key), rejectedWith('unauthenticated'))
  const { access_token } = await app.signIn(adminEmail, adminPassword)
  await assert.rejects(call(`Bearer ${access_token}`, first.key), rejectedWith('unauthenticated'))
  for (const header of ['', 'Bearer', 'Bearer a b', `Basic ${first.key}`, `Bearer ${first.key}x`, 'Bearer swath_']) {
    await assert.rejects(call(header, null), rejectedWith('unauthenticated'))
  }
  await assert.rejects(call(null, null), rejectedWith('unauthenticated'))
})

test('revoking a key ends it and all tokens issued for it at once', async () => {
  const { id, key } = await createApiKey(['can_read'])
  const { body } = await exchange(key)
  assert.ok(await me(key))
  assert.ok(await me(String(body['access_token'])))
  const { access_token } = await app.signIn(adminEmail, adminPassword)
  await app.callOperation('api_keys.revoke', access_token, { key_id: id.toUpperCase() })
  await assert.rejects(me(key), rejectedWith('unauthenticated'))
  await assert.rejects(me(String(body['access_token'])), rejectedWith('unauthenticated'))
  assert.equal((await refresh(String(body['refresh_token']))).status, 400)
  assert.equal((await exchange(key)).status, 401)
})

test('the tokens of a key expire with the key', async () => {
  const { key } = await createApiKey(['can_read'], { expires_in_days: 1 })
  app.clock.advance(24 * 3600 * 1000 - 60_000)
  const { body } = await exchange(key)
  assert.ok(await me(key))
  assert.ok(await me(String(body['access_token'])))
  app.clock.advance(61_000)
  await assert.rejects(me(key), rejectedWith('unauthenticated'))
  await assert.rejects(me(String(body['access_token'])), rejectedWith('unauthenticated'))
})

test('after the first call a token is verified without queries', async () => {
  const { key } = await createApiKey(['can_read'])
  const { access_token } = await app.signIn(adminEmail, adminPassword)
  const requirement = { public: false, scope: null }
  const { unscoped } = app.database
  const query = unscoped.query
  let queries = 0
  unscoped.query = (statement) => {
    queries += 1
    return query(statement)
  }
  try {
    for (const token of [key, access_token]) {
      const credentials = { authorization: `Bearer ${token}`, apiKey: null, address: '' }
      await app.identity.authenticate(credentials, requirement)
      const before = queries
      assert.ok(before > 0)
      for (let count = 0; count < 50; count += 1) await app.identity.authenticate(credentials, requirement)
      assert.equal(queries, before)
    }
  } finally {
    unscoped.query = query
  }
})

test('a change committed by another process takes effect with the next poll', async () => {
  const { access_token } = await app.signIn(adminEmail, adminPassword)
  const { sid } = JSON.parse(Buffer.from(access_token.split('.')[1]!, 'base64url').toString()) as { sid: string }
  assert.ok(await me(access_token))
  await app.database.unscoped.transaction(async (tx) => {
    await tx.query(sql`update sessions set revoked_at = created_at where id = ${sid}`)
    await tx.query(sql`insert into principal_changes (id, subject) values (gen_random_uuid(), ${`session:${sid}`})`)
  })
  await app.identity.poll()
  await assert.rejects(me(access_token), rejectedWith('unauthenticated'))
})

test('closing an organization ends the tokens of its users and keys', async () => {
  const founder = await app.createFounder()
  const created = await app.callOperation('api_keys.create', founder.token, { name: 'Key', permissions: ['can_read'] })
  const key = String(created['key'])
  const organization = async (): Promise<string | null> => {
    const credentials = { authorization: `Bearer ${founder.token}`, apiKey: null, address: '127.0.0.1' }
    return (await app.identity.authenticate(credentials, { public: false, scope: null })).organization
  }
  assert.equal(await organization(), founder.organization)
  assert.ok(await me(key))
  await app.database.unscoped.transaction(async (tx) => {
    await tx.query(sql`update organizations set status = 'deleted' where organization_id = ${founder.organization}`)
    await publishPrincipalChange(tx, `organization:${founder.organization}`)
  })
  assert.equal(await organization(), null)
  await assert.rejects(me(key), rejectedWith('unauthenticated'))
})

test('a disabled user can neither sign in nor use existing tokens', async () => {
  const founder = await app.createFounder()
  const member = await app.addMember(founder.token, 'member')
  assert.ok(await me(member.token))
  await app.database.unscoped.query(sql`update users set disabled_at = created_at where id = ${member.id}`)
  const disabled = await password(member.email, member.password)
  const wrong = await password(adminEmail, 'wrong')
  assert.deepEqual(disabled.body, wrong.body)
  assert.equal((await refresh(member.refresh_token)).body['error'], 'invalid_grant')
  await assert.rejects(me(member.token), rejectedWith('unauthenticated'))
})

test('users and keys of a suspended organization can sign in and read', async () => {
  const founder = await app.createFounder()
  const { key } = (await app.callOperation('api_keys.create', founder.token, {
    name: 'k',
    permissions: ['can_read'],
  })) as {
    key: string
  }
  await app.database.unscoped.query(sql`
    update organizations set status = 'suspended' where organization_id = ${founder.organization}`)
  for (const { status, body } of [await password(founder.email, founder.password), await exchange(key)]) {
    assert.equal(status, 200)
    assert.ok(await app.callOperation('projects.list', body['access_token'] as string, {}))
  }
})

test('access tokens verify against the published keys, and forged tokens are rejected', async () => {
  const { access_token } = await app.signIn(adminEmail, adminPassword)
  const certs = await app.server.inject({ method: 'GET', url: `${realmPath}/certs` })
  const keySet = certs.json<JSONWebKeySet>()
  assert.ok(keySet.keys.length >= 2, 'the next key is published in advance')
  for (const key of keySet.keys) assert.deepEqual(Object.keys(key).toSorted(), ['alg', 'e', 'kid', 'kty', 'n', 'use'])
  const { payload } = await jwtVerify(access_token, createLocalJWKSet(keySet), {
    issuer: `${baseUrl}/realms/public`,
    audience: 'swath',
    currentDate: app.clock.now(),
  })
  assert.equal(payload.sub, app.admin.id)
  assert.equal(payload['kind'], 'human')
  assert.equal(payload['organization'], app.admin.organization)

  const { kid } = decodeProtectedHeader(access_token)
  const [header, body] = access_token.split('.') as [string, string]
  const none = Buffer.from(JSON.stringify({ alg: 'none', kid })).toString('base64url')
  const forged = await new SignJWT({ ...payload })
    .setProtectedHeader({ alg: 'HS256', kid: String(kid) })
    .sign(Buffer.from(JSON.stringify(keySet.keys[0])))
  for (const token of [`${none}.${body}.`, `${header}.${body}.AAAA`, forged, 'a.b.c', `${access_token}A`]) {
    await assert.rejects(me(token), rejectedWith('unauthenticated'))
  }
})

test('userinfo returns the claims of the user by GET and POST', async () => {
  const { access_token, scope: granted } = await app.signIn(adminEmail, adminPassword)
  const headers = { authorization: `Bearer ${access_token}` }
  for (const method of ['GET', 'POST'] as const) {
    const response = await app.server.inject({ method, url: `${realmPath}/userinfo`, headers })
    assert.equal(response.statusCode, 200)
    const { scope, ...claims } = response.json() as Record<string, string>
    assert.equal(scope, granted)
    assert.deepEqual(claims, {
      sub: app.admin.id,
      kind: 'human',
      email: adminEmail,
      preferred_username: adminEmail,
      name: 'Administrator',
      organization_id: app.admin.organization,
      role: 'owner',
    })
  }
  const rejected = await app.server.inject({ method: 'GET', url: `${realmPath}/userinfo` })
  assert.equal(rejected.statusCode, 401)
  assert.match(String(rejected.headers['www-authenticate']), /^Bearer/)
})

test('userinfo accepts an API key in either header and returns its scopes', async () => {
  const { id, key } = await createApiKey(['items:read', 'catalog:read'])
  for (const headers of [{ 'x-api-key': key }, { authorization: `Bearer ${key}` }]) {
    const response = await app.server.inject({ method: 'GET', url: `${realmPath}/userinfo`, headers })
    assert.equal(response.statusCode, 200, response.body)
    const { sub, kind, scope } = response.json() as Record<string, string>
    assert.deepEqual([sub, kind, scope!.split(' ').toSorted()], [id, 'api_key', ['catalog:read', 'items:read']])
  }
  const wrong = { 'x-api-key': `${key}x` }
  assert.equal(
    (await app.server.inject({ method: 'GET', url: `${realmPath}/userinfo`, headers: wrong })).statusCode,
    401,
  )
})

test('introspection distinguishes active and inactive tokens', async () => {
  const { key } = await createApiKey(['can_read'])
  const tokens = await app.signIn(adminEmail, adminPassword)
  const introspectToken = async (token: string) =>
    (await app.postForm('token/introspect', { token, client_id: 'swath', client_secret: key })).body
  const accessTokenResult = await introspectToken(tokens.access_token)
  assert.equal(accessTokenResult['active'], true)
  assert.equal(accessTokenResult['sub'], app.admin.id)
  assert.equal(accessTokenResult['token_type'], 'Bearer')
  assert.equal(accessTokenResult['iss'], `${baseUrl}/realms/public`)
  assert.equal((accessTokenResult['exp'] as number) - (accessTokenResult['iat'] as number), 300)
  const refreshTokenResult = await introspectToken(tokens.refresh_token)
  assert.equal(refreshTokenResult['active'], true)
  assert.equal((refreshTokenResult['exp'] as number) - (refreshTokenResult['iat'] as number), 1800)
  assert.equal((await introspectToken(key))['kind'], 'api_key')
  assert.deepEqual(await introspectToken('nothing'), { active: false })

  await refresh(tokens.refresh_token)
  assert.deepEqual(await introspectToken(tokens.refresh_token), { active: false }, 'it was used')
  const refused: Record<string, string>[] = [{}, { client_id: 'other' }, { client_id: 'swath', client_secret: 'wrong' }]
  for (const more of refused) {
    const rejected = await app.postForm('token/introspect', { token: tokens.access_token, ...more })
    assert.equal(rejected.status, 401)
    assert.equal(rejected.body['error'], 'invalid_client')
  }
})

test('revocation and logout end the session, with any of its tokens', async () => {
  const requests = [
    (tokens: Record<string, unknown>) => app.postForm('revoke', { token: String(tokens['refresh_token']) }),
    (tokens: Record<string, unknown>) => app.postForm('revoke', { token: String(tokens['access_token']) }),
    (tokens: Record<string, unknown>) => app.postForm('logout', { refresh_token: String(tokens['refresh_token']) }),
    (tokens: Record<string, unknown>) =>
      app.postForm('logout', {}, { authorization: `Bearer ${String(tokens['access_token'])}` }),
  ]
  for (const request of requests) {
    const tokens = await app.signIn(adminEmail, adminPassword)
    assert.ok(await me(tokens.access_token))
    assert.equal((await request(tokens)).status, 200)
    await assert.rejects(me(tokens.access_token), rejectedWith('unauthenticated'))
    assert.equal((await refresh(tokens.refresh_token)).body['error'], 'invalid_grant')
  }
  assert.equal((await app.postForm('revoke', { token: 'nothing of ours' })).status, 200)
  assert.equal((await app.postForm('revoke', {})).body['error'], 'invalid_request')
  const { key } = await createApiKey([])
  assert.equal((await app.postForm('revoke', { token: key })).body['error'], 'unsupported_token_type')
  assert.ok(await me(key))
})

test('logout redirects only to the origin of the platform', async () => {
  const logoutTo = async (target: string) =>
    app.server.inject({
      method: 'GET',
      url: `${realmPath}/logout?${new URLSearchParams({ post_logout_redirect_uri: target, state: 's' }).toString()}`,
    })
  const redirect = await logoutTo(`${baseUrl}/console`)
  assert.equal(redirect.statusCode, 302)
  assert.equal(redirect.headers['location'], `${baseUrl}/console?state=s`)
  for (const target of ['https://evil.example/', `${baseUrl}@evil.example/`, 'javascript:alert(1)', '//evil.example']) {
    assert.equal((await logoutTo(target)).statusCode, 200)
  }
})

test('discovery lists the available endpoints, under both URLs', async () => {
  const [first, second] = await Promise.all(
    ['/realms/public/.well-known/openid-configuration', `${realmPath}/.well-known/openid-configuration`].map((url) =>
      app.server.inject({ method: 'GET', url }),
    ),
  )
  assert.deepEqual(first!.json(), second!.json())
  const document = first!.json<Record<string, string | string[]>>()
  assert.equal(document['issuer'], `${baseUrl}/realms/public`)
  const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'
  const grantTypes = ['authorization_code', 'password', 'client_credentials', 'refresh_token', deviceGrant]
  assert.deepEqual(document['grant_types_supported'], grantTypes)
  assert.equal(document['authorization_endpoint'], `${baseUrl}${realmPath}/auth`)
  assert.equal(document['end_session_endpoint'], `${baseUrl}${realmPath}/logout`)
  assert.deepEqual(document['response_types_supported'], ['code'])
  assert.deepEqual(document['code_challenge_methods_supported'], ['S256'])
  assert.equal(document['authorization_response_iss_parameter_supported'], true)
  for (const [name, value] of Object.entries(document)) {
    if (!name.endsWith('_endpoint') && name !== 'jwks_uri') continue
    const path = String(value).slice(baseUrl.length)
    const [get, post] = [
      await app.server.inject({ method: 'GET', url: path }),
      await app.server.inject({ method: 'POST', url: path }),
    ]
    assert.ok(get.statusCode !== 404 || post.statusCode !== 404, name)
  }
})

test('secrets are stored only as hashes', async () => {
  const { key } = await createApiKey(['can_read'])
  const tokens = await app.signIn(adminEmail, adminPassword)
  for (const table of ['users', 'api_keys', 'api_key_directory', 'sessions', 'refresh_tokens', 'signing_key_ring']) {
    const rows = await app.database.unscoped.query<{ row: string }>(sql`
      select to_jsonb(t)::text as row from ${sql.identifier(table, [table])} t`)
    const text = rows.map(({ row }) => row).join('\n')
    assert.ok(rows.length > 0, table)
    for (const secret of [key, tokens.refresh_token, adminPassword]) assert.equal(text.includes(secret), false, table)
    if (table === 'signing_key_ring') assert.equal(/"d":/.test(text), false)
  }
})

test('last_used_at of a key is written without delaying the call', async () => {
  const { id, key } = await createApiKey(['can_read'])
  const usedAt = async () => {
    const [row] = await app.database.unscoped.query<{ last_used_at: Date | null }>(sql`
      select last_used_at from api_keys where organization_id = ${app.admin.organization} and id = ${id}`)
    return row!.last_used_at
  }
  assert.equal(await usedAt(), null)
  await me(key)
  await app.identity.flush()
  assert.deepEqual(await usedAt(), app.clock.now())
})
